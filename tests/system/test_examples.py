# Copyright (c) 2026 the ascend-flash-attention developers.
# SPDX-License-Identifier: Apache-2.0
"""The Python examples run as a user runs them, and the MiniLM one notices wrong attention."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import ascend_flash_attention
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "python"


def run(script, *arguments):
    command = [sys.executable, EXAMPLES / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_tour():
    result = run("test_flash_attention.py")
    assert result.returncode == 0, result.stdout + result.stderr


def test_minilm_finds_the_pairs_that_mean_the_same():
    result = run("minilm_embeddings.py")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "20/20 sentences" in result.stdout
    pairs = result.stdout.split("nearest pairs")[1]
    for word in ("kitten", "spaghetti", "Share prices", "storm", "spacecraft"):
        assert word in pairs


def test_minilm_with_a_file(tmp_path):
    file = tmp_path / "sentences.txt"
    file.write_text("A short one.\n\n" + "very " * 400 + "long one.\n" + "Ünïcode.\n", encoding="utf-8")
    result = run("minilm_embeddings.py", str(file))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "3/3 sentences" in result.stdout


def test_minilm_refuses_a_file_without_sentences(tmp_path):
    file = tmp_path / "empty.txt"
    file.write_text("\n \n")
    result = run("minilm_embeddings.py", str(file))
    assert result.returncode == 1
    assert "no sentence found" in result.stderr


def test_onnx_of_the_encoder_and_a_gpt(tmp_path):
    result = run("minilm_onnx.py", str(tmp_path))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "MiniLM encoder: 6 FlashAttentionScore nodes" in result.stdout
    assert "all differences below 1e-05: yes" in result.stdout
    assert {"minilm.onnx", "gpt.onnx"} <= {path.name for path in tmp_path.iterdir()}


def test_training_has_the_losses_of_torch(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # small matrices; torch's threads would only wait for each other
    result = run("train_char_gpt.py", "--steps", "40", "--plot", str(tmp_path / "loss.png"))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "flash attention [##############################] 40/40" in result.stdout
    first, last = re.search(r"first loss ([\d.]+) and [\d.]+, mean loss .* steps ([\d.]+) and", result.stdout).groups()
    assert float(last) < 0.8 * float(first)
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("change", [{"scale": 0.17}, {"atten_mask": None}])
def test_minilm_notices_wrong_attention(change, monkeypatch, capsys):
    right = ascend_flash_attention.npu_flash_attention
    monkeypatch.setattr(ascend_flash_attention, "npu_flash_attention", lambda *a, **o: right(*a, **(o | change)))
    monkeypatch.setattr(sys, "argv", ["minilm_embeddings.py"])
    spec = importlib.util.spec_from_file_location("minilm_embeddings", EXAMPLES / "minilm_embeddings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.main() == 1
    assert "largest difference" in capsys.readouterr().out
