# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""ONNX: a trained encoder and a small causal GPT, exported with FlashAttentionScore nodes and run by onnxruntime.

    python examples/python/minilm_onnx.py [FOLDER]

Exports the MiniLM sentence encoder of minilm_embeddings.py with dynamic batch and length, runs twenty sentences in
onnxruntime with our operator library and without it (by the function of standard operators in the file), and compares
the embeddings with PyTorch's. The same for the logits of a GPT with random weights, grouped heads and causal attention.
Prints times; exits with 1 unless all differences are below 1e-5. FOLDER keeps the two files.
"""

import argparse
import logging
import sys
import tempfile
import time
import warnings
from pathlib import Path

import ascend_flash_attention
import ascend_flash_attention.onnx as fa_onnx
import numpy as np
import onnxruntime
import torch
from minilm_embeddings import BATCH, SENTENCES, embed_tokens, encoder_with_flash_attention, load_model
from torch.nn import functional as F

ALLOWED_DIFFERENCE = 1e-5


class SentenceEncoder(torch.nn.Module):
    """Token ids [B,S] and padding [B,S] (True = no token) -> unit embeddings [B,384]."""

    def __init__(self, weights):
        super().__init__()
        self.names = {name: name.replace(".", "_") for name in weights}
        for name, attribute in self.names.items():
            self.register_buffer(attribute, weights[name])

    def forward(self, ids, padding):
        weights = {name: getattr(self, attribute) for name, attribute in self.names.items()}
        tokens = encoder_with_flash_attention(weights)(embed_tokens(weights, ids), padding)
        mean = tokens.masked_fill(padding[:, :, None], 0.0).sum(1) / (~padding).sum(1, keepdim=True)
        return F.normalize(mean, dim=1)


class Gpt(torch.nn.Module):
    """A causal language model: token ids [B,S] -> logits [B,S,tokens]. Every second query head shares a key head."""

    def __init__(self, tokens=256, width=128, layers=3, heads=4, key_heads=2, context=512):
        super().__init__()
        self.heads, self.head_dim = heads, width // heads
        self.split = [width, key_heads * self.head_dim, key_heads * self.head_dim]
        self.embedding = torch.nn.Embedding(tokens, width)
        self.position = torch.nn.Embedding(context, width)
        self.layers = torch.nn.ModuleList(
            torch.nn.ModuleDict(
                {
                    "norm1": torch.nn.LayerNorm(width),
                    "qkv": torch.nn.Linear(width, sum(self.split)),
                    "out": torch.nn.Linear(width, width),
                    "norm2": torch.nn.LayerNorm(width),
                    "up": torch.nn.Linear(width, 4 * width),
                    "down": torch.nn.Linear(4 * width, width),
                }
            )
            for _ in range(layers)
        )
        self.head = torch.nn.Linear(width, tokens)

    def forward(self, ids):
        x = self.embedding(ids) + self.position.weight[: ids.shape[1]]
        for layer in self.layers:
            q, k, v = layer["qkv"](layer["norm1"](x)).split(self.split, dim=-1)
            attended = ascend_flash_attention.npu_flash_attention(
                q, k, v, head_num=self.heads, input_layout="BSH", scale=self.head_dim**-0.5, sparse_mode=3
            )[0]
            x = x + layer["out"](attended)
            x = x + layer["down"](F.gelu(layer["up"](layer["norm2"](x))))
        return self.head(x)


def batches_of_sentences(tokenizer):
    """(ids, padding) of each batch."""
    batches = []
    for begin in range(0, len(SENTENCES), BATCH):
        encodings = tokenizer.encode_batch(SENTENCES[begin : begin + BATCH])
        ids = torch.tensor([e.ids for e in encodings])
        batches.append((ids, torch.tensor([e.attention_mask for e in encodings]) == 0))
    return batches


def timed(run, batches):
    """Results of all batches, and the seconds of a second pass over them."""
    results = [run(*batch) for batch in batches]
    start = time.perf_counter()
    for batch in batches:
        run(*batch)
    return results, time.perf_counter() - start


def onnx_runner(path, options):
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [value.name for value in session.get_inputs()]
    return lambda *batch: session.run(None, {n: x.numpy() for n, x in zip(names, batch, strict=True)})[0]


def compare(title, model, names, batches, path, longest):
    """Export, run three ways, print; True if all differences are small."""
    dims = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length", max=longest)}
    exported = fa_onnx.export(
        model.eval(), batches[0], path, input_names=names, dynamic_shapes=tuple(dims for _ in names), verbose=False
    )
    nodes = sum(node.op_type == "FlashAttentionScore" for node in exported.graph.node)
    print(f"{title}: {nodes} FlashAttentionScore nodes, {path.stat().st_size / 1e6:.1f} MB")
    with torch.inference_mode():
        expected, seconds = timed(model, batches)
    print(f"  PyTorch                     {seconds * 1e3:7.1f} ms")
    passed = True
    for way, options in (("with our library", fa_onnx.session_options()), ("function of the file", None)):
        results, seconds = timed(onnx_runner(path, options), batches)
        pairs = zip(results, expected, strict=True)
        difference = max(np.abs(result - right.numpy()).max() for result, right in pairs)
        passed &= bool(difference < ALLOWED_DIFFERENCE)  # false for NaN
        print(f"  onnxruntime, {way:21}{seconds * 1e3:7.1f} ms  largest difference {difference:.1e}")
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where to keep the exported files")
    folder = parser.parse_args().folder
    warnings.simplefilter("ignore")  # the exporter speaks of packages and axis names that do not matter here
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if folder is None else folder
        folder.mkdir(parents=True, exist_ok=True)
        weights, tokenizer = load_model()
        encoder, sentences = SentenceEncoder(weights), batches_of_sentences(tokenizer)
        passed = compare("MiniLM encoder", encoder, ["ids", "padding"], sentences, folder / "minilm.onnx", longest=512)
        torch.manual_seed(1)
        texts = [(torch.randint(0, 256, shape),) for shape in ((2, 100), (1, 512), (3, 37))]
        passed &= compare("causal GPT", Gpt(), ["ids"], texts, folder / "gpt.onnx", longest=512)
    print(f"all differences below {ALLOWED_DIFFERENCE:.0e}: {'yes' if passed else 'NO'}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
