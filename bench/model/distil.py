"""Makes the built-in model from the teacher's vectors of the corpus.

    python distil.py FOLDER MODEL     writes the model file MODEL

Each vocabulary entry starts as the teacher's vector of the entry alone (model2vec). Then the table is fitted so that
the sum of a sentence's entries points where the teacher's vector of the sentence points: one ridge regression,
pulled towards the start, solved by conjugate gradients. No chance is involved; the same input gives the same table.
"""

import collections
import glob
import hashlib
import json
import os
import re
import sys

import numpy as np
import scipy.sparse as sparse

import teacher
from pieces import pieces, words

NAME, ENTRIES, DIMS = "static-en", 37_000, 256
PULL, STEPS = 2.0, 20
# Length of the vectors of single entries, so that their sums have length one.
START_LENGTH = 0.6
COMMON = 1e-3
# The first principal components have most of the variance but not most of the meaning.
EVENED = 0.3


def choose_vocabulary(texts):
    """The teacher's entries of plain letters or digits, then the most frequent other words of the corpus."""
    with open(os.path.join(teacher.folder(), "vocab.txt")) as file:
        base = [entry for entry in file.read().split("\n") if re.fullmatch(r"(##)?([a-z]+|[0-9]+)", entry)]
    known, counts = set(base), collections.Counter()
    for text in texts:
        counts.update(words(text))
    more = sorted((-count, word) for word, count in counts.items() if word not in known and word.isalpha() and 3 <= len(word) <= 20)
    return base + [word for _, word in more[: ENTRIES - len(base)]]


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def count_pieces(texts, vocabulary):
    numbers = {entry: number for number, entry in enumerate(vocabulary)}
    rows, columns = [], []
    for row, text in enumerate(texts):
        found = pieces(text, numbers)
        rows.extend([row] * len(found))
        columns.extend(found)
    ones = np.ones(len(rows), np.float32)
    counts = sparse.csr_matrix((ones, (rows, columns)), shape=(len(texts), len(vocabulary)))
    # Sums as src/models/static-embed.ts does: a word that occurs n times counts √n times.
    counts.sum_duplicates()
    counts.data = np.sqrt(counts.data)
    return counts


def fit(counts, wanted, start):
    """Minimises |counts·table − wanted|² + PULL·|table − start|²."""
    turned = counts.T.tocsr()
    table = start.copy()
    rest = turned @ (wanted - counts @ table)
    way, size = rest.copy(), (rest * rest).sum(0)
    for step in range(STEPS):
        bent = turned @ (counts @ way) + PULL * way
        length = size / np.maximum((way * bent).sum(0), 1e-20)
        table += length * way
        rest -= length * bent
        after = (rest * rest).sum(0)
        way = rest + (after / np.maximum(size, 1e-20)) * way
        size = after
        print(f"step {step + 1}: rest {size.sum():.3f}", flush=True)
    return table


def write(path, vocabulary, table):
    scales = (np.abs(table).max(1) / 127).astype(np.float32)
    numbers = np.round(table / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    lines = ("\n".join(vocabulary) + "\n").encode("ascii")
    lines += b"\n" * (-len(lines) % 4)
    body = lines + scales.tobytes() + numbers.tobytes()
    header = {"name": NAME, "dims": DIMS, "entries": len(vocabulary), "vocabularyBytes": len(lines)}
    header["sha256"] = hashlib.sha256(body).hexdigest()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(b"BSTE" + len(text).to_bytes(4, "little") + text + body)
    print(path, header["sha256"], os.path.getsize(path), "bytes")


def main(folder, path):
    parts = sorted(glob.glob(os.path.join(folder, "taught", "*.npy")))
    taught = np.concatenate([np.load(part) for part in parts]).astype(np.float32)
    with open(os.path.join(folder, "corpus.tsv")) as file:
        every = [line.rstrip("\n").split("\t", 1)[1] for line in file]
    texts = every[: len(taught)]
    vocabulary = choose_vocabulary(every)
    alone = teacher.Teacher(os.path.join(folder, "minilm-int8.onnx")).embed([entry.removeprefix("##") for entry in vocabulary])

    # Centred and rotated by PCA; the last third of the components has almost no information.
    mean = taught.mean(0)
    values, directions = np.linalg.eigh(np.cov((taught - mean).T))
    turn = directions[:, np.argsort(-values)[:DIMS]].astype(np.float32)
    wanted = unit((taught - mean) @ turn)
    start = unit((alone - alone.mean(0)) @ turn) * START_LENGTH

    counts = count_pieces(texts, vocabulary)
    often = np.asarray(counts.sum(0)).ravel()
    rarity = (COMMON / (COMMON + (often + 0.5) / often.sum())).astype(np.float32)
    weighted = counts @ sparse.diags(rarity)
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(1)).ravel())
    weighted = (sparse.diags(1 / np.maximum(lengths, 1e-6).astype(np.float32)) @ weighted).astype(np.float32)
    table = fit(weighted, wanted, start)
    got = weighted @ table
    print("mean cosine to the teacher:", float((unit(got) * wanted).sum(1).mean()), "of", len(texts), "sentences")
    table *= rarity[:, None]
    write(path, vocabulary, table / table.std(0) ** EVENED)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
