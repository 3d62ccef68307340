"""Record what PyTorch writes for GELU into ONNX, and what ONNX Runtime makes of it.

    .venv/bin/python tools/laboratory/record_onnx.py

It writes gelu_lib/data/onnx.json and needs torch, onnx, onnxscript and onnxruntime. Every pattern
is given to ONNX Runtime at each level of optimisation, and the nodes of the model that it would run
are recorded. The operators themselves are measured by ``record_frameworks.py``; here the pattern
is, with optimisation switched off, and for all of them the result at −0.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    command_line.read(__doc__)

import io
import json
import math
import re
import tempfile
import warnings
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
import onnx
import onnxruntime
from framework_adapters import PACKAGES, Subject
from onnx import numpy_helper, parser
from onnx.reference import ReferenceEvaluator
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented
from record_frameworks import measure_subject, processor

RECORD = Path(__file__).resolve().parents[2] / "gelu_lib" / "data" / "onnx.json"
CONSTANTS = {
    "half": 0.5,
    "one": 1,
    "three": 3,
    "root": math.sqrt(2),
    "inverse": math.sqrt(0.5),
    "k": 0.044715,
    "w": math.sqrt(2 / math.pi),
    "alpha": 1.702,
}
ERF = "d = Div(x, root) e = Erf(d) a = Add(e, one)"
TANH = "c = Pow(x, three) k3 = Mul(k, c) s = Add(x, k3) u = Mul(w, s) t = Tanh(u) a = Add(t, one)"
FACTORS = {
    "half last": "m = Mul(x, a) y = Mul(m, half)",
    "half first": "h = Mul(half, x) y = Mul(h, a)",
    "half inside": "m = Mul(half, a) y = Mul(x, m)",
}
PATTERNS = {
    **{f"erf, {name}": f"{ERF} {factors}" for name, factors in FACTORS.items()},
    "erf, times 1/sqrt(2)": ERF.replace("Div(x, root)", "Mul(x, inverse)") + FACTORS["half last"],
    "erf, of a sum": "z = Add(x, bias) " + f"{ERF} {FACTORS['half last']}".replace("(x,", "(z,"),
    **{f"tanh, {name}": f"{TANH} {factors}" for name, factors in FACTORS.items()},
    "tanh, products": "q = Mul(x, x) c = Mul(x, q) k3 = Mul(k, c) s = Add(x, k3) u = Mul(w, s)"
    " t = Tanh(u) a = Add(one, t) m = Mul(x, a) y = Mul(half, m)",
    "sigmoid": "u = Mul(x, alpha) s = Sigmoid(u) y = Mul(x, s)",
    "SiLU": "s = Sigmoid(x) y = Mul(x, s)",
    "Gelu": "y = Gelu(x)",
}
"""The ways to write GELU, in the syntax of ``onnx.parser``."""
MEASURED = "erf, half last"
OPSETS = (17, 20)
LEVELS = {
    name: getattr(onnxruntime.GraphOptimizationLevel, f"ORT_{name}")
    for name in ("DISABLE_ALL", "ENABLE_BASIC", "ENABLE_EXTENDED", "ENABLE_ALL")
}
APPROXIMATION = "optimization.enable_gelu_approximation"
INFIX = {"Add": "+", "Mul": "*", "Div": "/", "Pow": "^"}
EXPORTERS = {"TorchScript": {"dynamo": False}, "torch.export": {"dynamo": True, "verbose": False}}


def model(body: str, dtype: str, opset: int, after: str = "") -> onnx.ModelProto:
    """A model of a pattern, from x to y; with ``after``, an operator, to what it makes of y."""
    kind = {"float64": "double", "float32": "float", "float16": "float16"}[dtype]
    body, end = (f"{body} end = {after}(y)", "end") if after else (body, "y")
    found = parser.parse_model(
        f'<ir_version: 9, opset_import: ["": {opset}]>'
        f" gelu ({kind}[N,4] x) => ({kind}[N,4] {end}) {{ {body} }}"
    )
    used = {name: np.array(v) for name, v in CONSTANTS.items() if re.search(rf"\b{name}\b", body)}
    if "bias" in body:
        used["bias"] = np.ones(4)
    for name, value in used.items():
        found.graph.initializer.append(numpy_helper.from_array(value.astype(dtype), name))
    return found


def session(given: onnx.ModelProto, level: str, *, approximate=False, written: str = ""):
    """ONNX Runtime on the processor; the model that it runs goes to the file ``written``."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = LEVELS[level]
    options.log_severity_level = 3  # it warns that what it writes is for this processor
    options.optimized_model_filepath = written
    if approximate:
        options.add_session_config_entry(APPROXIMATION, "1")
    return onnxruntime.InferenceSession(
        given.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def optimised(body: str, dtype: str, opset: int, level: str, *, approximate=False) -> str:
    """The nodes of the model that ONNX Runtime runs, without the one that stands after the GELU.

    One must stand there, because a FastGelu is not made where the result leaves the model.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "optimised.onnx")
        session(model(body, dtype, opset, "Abs"), level, approximate=approximate, written=path)
        nodes = onnx.load(path).graph.node
    return " ".join(_named(node) for node in nodes if node.op_type != "Abs")


def _named(node: onnx.NodeProto) -> str:
    name = ".".join(filter(None, (node.domain, node.op_type)))
    return name + "".join(f"({a.name}={a.f:.6g})" for a in node.attribute if a.name == "alpha")


def fused(body: str, dtype: str) -> dict[str, dict[str, str]]:
    """For each opset that has the operators, the nodes at each level, and with approximation."""
    return {
        str(opset): {
            **{level: optimised(body, dtype, opset, level) for level in LEVELS},
            "approximate": optimised(body, dtype, opset, "ENABLE_ALL", approximate=True),
        }
        for opset in OPSETS
        if opset >= 20 or "Gelu" not in body
    }


def expression(given: onnx.ModelProto) -> str:
    """What a model computes, as one expression in x."""
    graph = given.graph
    known = {graph.input[0].name: "x"}
    for tensor in graph.initializer:
        known[tensor.name] = f"{float(numpy_helper.to_array(tensor).flat[0]):.6g}"
    for node in graph.node:
        inputs = [known[name] for name in node.input]
        options = [f'{a.name}="{a.s.decode()}"' for a in node.attribute if a.s]
        if node.op_type == "Constant":
            text = f"{float(numpy_helper.to_array(node.attribute[0].t)):.6g}"
        elif sign := INFIX.get(node.op_type):
            text = f"({inputs[0]} {sign} {inputs[1]})"
        else:
            text = f"{node.op_type}({', '.join([*inputs, *options])})"
        known[node.output[0]] = text
    return re.sub(r"^\((.*)\)$", r"\1", known[graph.output[0].name])


def exported(exporter: str) -> dict[str, Any]:
    """What an exporter of PyTorch writes for both forms, for each opset and by default.

    Raises:
        ModuleNotFoundError: if it needs a package that is not installed.
    """
    import torch

    found: dict[str, Any] = {}
    for opset in (*OPSETS, None):
        for form in ("none", "tanh"):
            options = {"opset_version": opset, **EXPORTERS[exporter]}
            arguments, file = (torch.nn.GELU(approximate=form), (torch.zeros(3),)), io.BytesIO()
            with warnings.catch_warnings():  # that the older one is deprecated
                warnings.simplefilter("ignore")
                if options["dynamo"]:
                    written = torch.onnx.export(*arguments, **options).model_proto
                else:
                    torch.onnx.export(*arguments, file, **options)
                    written = onnx.load_from_string(file.getvalue())
            found.setdefault(str(opset or "default"), {})[form] = expression(written)
    return found


def pattern() -> Subject:
    """The pattern of opset 17, each node by itself."""

    @cache
    def made(dtype: str):
        return session(model(PATTERNS[MEASURED], dtype, 17), "DISABLE_ALL")

    def evaluate(x: np.ndarray) -> np.ndarray:
        rows = np.resize(x, (-(-x.size // 4), 4))  # the last row is filled up with the first inputs
        return made(x.dtype.name).run(None, {"x": rows})[0].ravel()[: x.size]

    return Subject(MEASURED, "exact", evaluate, ("float32", "float16"))


def at_negative_zero() -> dict[str, str]:
    """The result at −0 in float32, of the pattern and of each operator."""
    x = np.full(4, -0.0, np.float32)
    subjects = {"onnxruntime-pattern": pattern(), **PACKAGES["onnxruntime"]().subjects}
    return {key: repr(float(subject.evaluate(x)[0])) for key, subject in subjects.items()}


def in_double() -> dict[str, float | str]:
    """From where on, to the left, the pattern is 0 in float64; or that it is refused, and how."""
    given = model(PATTERNS[MEASURED], "float64", 17)
    x = np.linspace(-10, -1, 36_000)
    inputs = {"x": x.reshape(-1, 4)}

    def zero(results: list[np.ndarray]) -> float:
        return float(x[results[0].ravel() == 0].max())

    found: dict[str, float | str] = {
        "onnx.reference": zero(ReferenceEvaluator(given).run(None, inputs))
    }
    try:
        found["onnxruntime"] = zero(session(given, "DISABLE_ALL").run(None, inputs))
    except NotImplemented as refusal:
        found["onnxruntime"] = str(refusal).partition(" : ")[2].partition(" : ")[2]
    return found


def patterns() -> dict[str, Any]:
    """Each pattern: its expression, and its nodes; in float16 those of two of them."""
    return {
        name: {
            "expression": expression(model(body, "float32", 20)),
            "float32": fused(body, "float32"),
            **({"float16": fused(body, "float16")} if name in (MEASURED, "Gelu") else {}),
        }
        for name, body in PATTERNS.items()
    }


def erf_operators() -> list[str]:
    """The operators of the standard whose names have erf in them; erfc would be one."""
    return sorted({s.name for s in onnx.defs.get_all_schemas() if "erf" in s.name.lower()})


def main() -> None:
    names = ("onnx", "onnxruntime", "onnxscript", "torch")
    record = {
        "versions": {name: version(name).partition("+")[0] for name in names},
        "processor": processor(),
        "erf_operators": erf_operators(),
        "exports": {name: exported(name) for name in EXPORTERS},
        "patterns": patterns(),
        "measured": measure_subject(pattern()),
        "negative_zero": at_negative_zero(),
        "double": in_double(),
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
