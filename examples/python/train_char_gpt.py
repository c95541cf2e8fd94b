# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""Trains a small character GPT twice from the same seed: with FlashAttentionScore and with torch's own attention.

    python examples/python/train_char_gpt.py [--steps 150] [--plot loss.png] [--seed 0]

The text is Python's own help (pydoc_data.topics), so nothing is downloaded. Forward and backward of the attention are
the operators FlashAttentionScore and FlashAttentionScoreGrad. Prints both losses, a sample of the trained model, and
exits with 1 if the two loss curves differ by more than the noise of their batches.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from pydoc_data import topics

import ascend_flash_attention
import torch
from torch import nn
from torch.nn import functional as F

LAYERS, HEADS, WIDTH, CONTEXT, BATCH = 2, 4, 128, 128, 8
LEARNING_RATE, WARM_UP, CLIP = 2e-3, 20, 1.0
CAUSAL = 3  # sparse_mode: a character sees itself and what is before it
WINDOW = 0.25  # share of the steps at the end that are compared
BAR = 30


def flash_attention(query, key, value):
    scale = query.shape[-1] ** -0.5
    return ascend_flash_attention.npu_flash_attention(query, key, value, scale=scale, sparse_mode=CAUSAL)[0]


def torch_attention(query, key, value):
    return F.scaled_dot_product_attention(query, key, value, is_causal=True)


class Block(nn.Module):
    """Pre-norm transformer layer. attention: function of query, key and value [batch, heads, characters, width]."""

    def __init__(self, attention):
        super().__init__()
        self.attention = attention
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        heads = self.qkv(self.norms[0](x)).unflatten(2, (3, HEADS, WIDTH // HEADS)).permute(2, 0, 3, 1, 4)
        x = x + self.out(self.attention(*heads).transpose(1, 2).flatten(2))
        return x + self.mlp(self.norms[1](x))


class CharGpt(nn.Module):
    """Logits [batch, characters, vocabulary] of the next character; ids [batch, characters], CONTEXT at most."""

    def __init__(self, vocabulary, attention):
        super().__init__()
        self.characters = nn.Embedding(vocabulary, WIDTH)
        self.positions = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(*(Block(attention) for _ in range(LAYERS)), nn.LayerNorm(WIDTH))
        self.head = nn.Linear(WIDTH, vocabulary)

    def forward(self, ids):
        return self.head(self.blocks(self.characters(ids) + self.positions.weight[: ids.shape[1]]))


def load_text():
    """(character ids, alphabet) of Python's help topics."""
    text = "\n".join(topics.topics[name] for name in sorted(topics.topics))
    alphabet = sorted(set(text))
    index = {character: i for i, character in enumerate(alphabet)}
    return torch.tensor([index[character] for character in text]), alphabet


def progress(name, step, steps, loss, begin):
    done = BAR * step // steps
    line = f"\r{name:<15} [{'#' * done}{'.' * (BAR - done)}] {step}/{steps} loss {loss:.3f} {time.time() - begin:.0f} s"
    print(line, end="\n" if step == steps else "", flush=True)


def train(name, attention, text, vocabulary, steps, seed):
    """(model, loss of each step); everything random follows from the seed."""
    torch.manual_seed(seed)
    model = CharGpt(vocabulary, attention)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / WARM_UP))
    losses, begin = [], time.time()
    for step in range(1, steps + 1):
        starts = torch.randint(len(text) - CONTEXT, (BATCH, 1))
        batch = text[starts + torch.arange(CONTEXT + 1)]
        loss = F.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        progress(name, step, steps, losses[-1], begin)
    return model, losses


@torch.no_grad()
def sample(model, alphabet, length=160):
    """Text that the model goes on with after a line break."""
    ids = torch.tensor([[alphabet.index("\n")]])
    for _ in range(length):
        weights = model(ids[:, -CONTEXT:])[:, -1].softmax(-1)
        ids = torch.cat((ids, torch.multinomial(weights, 1)), 1)
    return "".join(alphabet[i] for i in ids[0])


def compare(ours, reference):
    """(difference of the mean losses at the end, noise of such a mean): batches of both runs are the same."""
    count = max(2, round(len(ours) * WINDOW))
    ours, reference = ours[-count:], reference[-count:]
    noise = statistics.stdev(reference) / count**0.5
    return abs(statistics.mean(ours) - statistics.mean(reference)), noise


def save_plot(path, curves):
    try:
        from matplotlib import pyplot
    except ImportError:
        sys.exit("train_char_gpt.py: no plot without matplotlib; pip install -r examples/python/requirements-train.txt")
    figure, axes = pyplot.subplots()
    for (name, losses), style in zip(curves.items(), ("-", "--"), strict=True):
        axes.plot(range(1, len(losses) + 1), losses, style, label=name)
    axes.set(xlabel="step", ylabel="loss (nats a character)", title="character GPT, same seed")
    axes.legend()
    figure.savefig(path)
    print(f"loss curves: {path}")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--plot", type=Path, default=Path("train_char_gpt.png"), help="where the loss curves go")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.steps < 8:
        parser.error(f"--steps: got {options.steps}, allowed 8 and more")
    return options


def main():
    options = parse_options()
    text, alphabet = load_text()
    print(f"{len(text)} characters, {len(alphabet)} different; {LAYERS} layers, {HEADS} heads of {WIDTH // HEADS}")
    curves = {}
    for name, attention in (("flash attention", flash_attention), ("torch", torch_attention)):
        model, curves[name] = train(name, attention, text, len(alphabet), options.steps, options.seed)
        if attention is flash_attention:
            written = sample(model, alphabet)
    difference, noise = compare(*curves.values())
    print(f"sample of the model with flash attention:\n{written}\n")
    first = [f"{losses[0]:.6f}" for losses in curves.values()]
    last = [f"{statistics.mean(losses[-max(2, round(len(losses) * WINDOW)) :]):.4f}" for losses in curves.values()]
    print(
        f"first loss {first[0]} and {first[1]}, mean loss of the last {WINDOW:.0%} of the steps {last[0]} and {last[1]}"
    )
    print(f"difference {difference:.1e}, noise of the batches {noise:.1e}")
    save_plot(options.plot, curves)
    return 0 if difference < noise else 1


if __name__ == "__main__":
    sys.exit(main())
