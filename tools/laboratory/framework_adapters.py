"""GELU as the frameworks have it, each as a function from NumPy arrays to NumPy arrays.

One function for each package returns its implementations. It imports the package, so that a process
which measures one of them holds no other. bfloat16 goes in and out as that of ``ml_dtypes``.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Callable
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

from gelu_lib.floats.measuring import ArrayFunction

ALL = ("float64", "float32", "float16", "bfloat16")
SHORT = ALL[1:]
MICROSOFT = "com.microsoft"


@dataclass(frozen=True)
class Subject:
    """One implementation.

    Attributes:
        call: how a user writes it.
        form: the formula that it means to compute, one of ``gelu_lib.activations.FORMS``.
        evaluate: the call, on arrays of any of ``types``.
        types: the names of the types that it takes.
        derivative: what its own differentiation gives, if it has one.
        strided: the call on elements that lie apart in memory, if the package has such arrays.
    """

    call: str
    form: str
    evaluate: ArrayFunction
    types: tuple[str, ...] = ALL
    derivative: ArrayFunction | None = None
    strided: ArrayFunction | None = None


@dataclass(frozen=True)
class Package:
    """A package: its implementations by short names, and its calls without options.

    Attributes:
        distributions: under what names it is installed, and what computes for it.
    """

    distributions: tuple[str, ...]
    subjects: dict[str, Subject]
    defaults: dict[str, ArrayFunction] = field(default_factory=dict)

    @property
    def versions(self) -> dict[str, str]:
        """The installed versions, without the parts that name a build."""
        return {
            name: importlib.metadata.version(name).partition("+")[0] for name in self.distributions
        }


def _torch_subject(call: str, form: str, function: Callable, device: str = "cpu") -> Subject:
    """An implementation on torch tensors."""
    import torch

    def given(x: np.ndarray):
        if x.dtype == ml_dtypes.bfloat16:
            return torch.from_numpy(x.view(np.int16).copy()).view(torch.bfloat16).to(device)
        return torch.from_numpy(np.array(x)).to(device)

    def taken(y) -> np.ndarray:
        y = y.detach().cpu()
        if y.dtype == torch.bfloat16:
            return y.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return y.numpy()

    def derivative(x: np.ndarray) -> np.ndarray:
        tensor = given(x).requires_grad_()
        function(tensor).backward(torch.ones_like(tensor))
        return taken(tensor.grad)

    def strided(x: np.ndarray) -> np.ndarray:
        return taken(function(given(np.repeat(x, 2))[::2]).contiguous())

    return Subject(call, form, lambda x: taken(function(given(x))), ALL, derivative, strided)


def torch() -> Package:
    """PyTorch on the processor, and on a CUDA device where it sees one."""
    from functools import partial

    import torch
    from torch.nn.functional import gelu

    devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    subjects = {
        f"torch-{device}-{option}": _torch_subject(
            f'torch.nn.functional.gelu(x, approximate="{option}")' + f" on {device}",
            form,
            partial(gelu, approximate=option),
            device,
        )
        for device in devices
        for option, form in (("none", "exact"), ("tanh", "tanh"))
    }
    default = _torch_subject("torch.nn.functional.gelu(x)", "exact", gelu)
    return Package(("torch",), subjects, {"torch.nn.functional.gelu": default.evaluate})


def transformers() -> Package:
    """The activations named gelu in the table of Hugging Face transformers."""
    from transformers.activations import ACT2FN

    forms = {
        "gelu": "exact",
        "gelu_10": "exact",
        "gelu_python": "exact",
        "gelu_new": "tanh",
        "gelu_fast": "tanh",
        "gelu_accurate": "tanh",
        "gelu_pytorch_tanh": "tanh",
        "gelu_python_tanh": "tanh",
        "quick_gelu": "sigmoid",
    }
    unknown = {name for name in ACT2FN if "gelu" in name} ^ set(forms)
    if unknown:
        raise ValueError(f"the table of transformers and the list here differ in {unknown}")
    subjects = {
        f"transformers-{name}": _torch_subject(f'ACT2FN["{name}"](x)', form, ACT2FN[name])
        for name, form in forms.items()
    }
    return Package(("transformers", "torch"), subjects)


def jax() -> Package:
    """JAX, and Flax, whose function it is."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def subject(call: str, form: str, function: Callable) -> Subject:
        def derivative(x: np.ndarray) -> np.ndarray:
            _, back = jax.vjp(function, jnp.asarray(x))
            return np.asarray(back(jnp.ones(x.shape, x.dtype))[0])

        return Subject(call, form, lambda x: np.asarray(function(jnp.asarray(x))), ALL, derivative)

    def with_option(approximate: bool) -> Callable:
        return lambda x: jax.nn.gelu(x, approximate=approximate)

    subjects = {
        "jax-erf": subject("jax.nn.gelu(x, approximate=False)", "exact", with_option(False)),
        "jax-tanh": subject("jax.nn.gelu(x, approximate=True)", "tanh", with_option(True)),
    }
    return Package(
        ("jax", "jaxlib"), subjects, {"jax.nn.gelu": lambda x: np.asarray(jax.nn.gelu(x))}
    )


def flax() -> Package:
    """Flax takes the function of JAX; only its default is measured."""
    import flax.linen
    import flax.nnx

    defaults = {f"flax.{m.__name__[5:]}.gelu": m.gelu for m in (flax.linen, flax.nnx)}
    return Package(
        ("flax", "jax", "jaxlib"),
        {},
        {name: (lambda x, f=f: np.asarray(f(x))) for name, f in defaults.items()},
    )


def tensorflow() -> Package:
    """TensorFlow."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    def subject(form: str, approximate: bool) -> Subject:
        def function(x):
            return tf.nn.gelu(x, approximate=approximate)

        def derivative(x: np.ndarray) -> np.ndarray:
            tensor = tf.constant(x)
            with tf.GradientTape() as tape:
                tape.watch(tensor)
                y = function(tensor)
            return tape.gradient(y, tensor).numpy()

        call = f"tf.nn.gelu(x, approximate={approximate})"
        return Subject(call, form, lambda x: function(tf.constant(x)).numpy(), ALL, derivative)

    subjects = {
        "tensorflow-erf": subject("exact", False),
        "tensorflow-tanh": subject("tanh", True),
    }
    defaults = {"tf.nn.gelu": lambda x: tf.nn.gelu(x).numpy()}
    return Package(("tensorflow-cpu",), subjects, defaults)


def keras() -> Package:
    """Keras with the backend NumPy, which has formulas of its own and makes float64 float32."""
    os.environ["KERAS_BACKEND"] = "numpy"
    import keras

    def subject(form: str, approximate: bool) -> Subject:
        call = f"keras.ops.gelu(x, approximate={approximate})"
        return Subject(
            call, form, lambda x: np.asarray(keras.ops.gelu(x, approximate=approximate)), ALL[1:3]
        )

    subjects = {
        "keras-numpy-erf": subject("exact", False),
        "keras-numpy-tanh": subject("tanh", True),
    }
    defaults = {
        "keras.ops.gelu": keras.ops.gelu,
        "keras.activations.gelu": keras.activations.gelu,
        'keras.layers.Activation("gelu")': keras.layers.Activation("gelu"),
    }
    return Package(("keras", "numpy", "scipy"), subjects, defaults)


def onnxruntime() -> Package:
    """ONNX Runtime on the processor: Gelu of the standard, and three operators of its own."""
    subjects = {
        "onnxruntime-none": _onnx("Gelu", "exact", ALL[1:3], approximate="none"),
        "onnxruntime-tanh": _onnx("Gelu", "tanh", approximate="tanh"),
        "onnxruntime-fastgelu": _onnx("FastGelu", "tanh", domain=MICROSOFT),
        "onnxruntime-quickgelu": _onnx("QuickGelu", "sigmoid", domain=MICROSOFT),
    }
    defaults = {
        "ONNX Gelu-20": _onnx("Gelu", "exact").evaluate,
        "com.microsoft.Gelu": _onnx("Gelu", "exact", domain=MICROSOFT).evaluate,
    }
    return Package(("onnxruntime",), subjects, defaults)


def _onnx(
    operator: str,
    form: str,
    types: tuple[str, ...] = ALL[:3],
    *,
    domain: str = "",
    **options: str,
) -> Subject:
    """A model of one node, compiled once for each type."""
    from functools import cache

    import onnxruntime
    from onnx import helper

    @cache
    def session(dtype: str):
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        node = helper.make_node(operator, ["x"], ["y"], domain=domain, **options)
        ends = [[helper.make_tensor_value_info(name, kind, [None])] for name in "xy"]
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
        graph = helper.make_graph([node], "gelu", *ends)
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        providers = ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(model.SerializeToString(), providers=providers)

    def evaluate(x: np.ndarray) -> np.ndarray:
        return session(x.dtype.name).run(None, {"x": np.ascontiguousarray(x)})[0]

    written = "".join(f', {name}="{value}"' for name, value in options.items())
    return Subject(f"{domain or 'ONNX'}.{operator}(x{written})", form, evaluate, types)


def _mlx_subject(call: str, form: str, function: Callable) -> Subject:
    """An implementation on arrays of MLX."""
    import mlx.core as mx

    def given(x: np.ndarray):
        if x.dtype == ml_dtypes.bfloat16:
            return mx.array(x.astype(np.float32)).astype(mx.bfloat16)
        return mx.array(x)

    def taken(y, dtype: np.dtype) -> np.ndarray:
        return np.array(y.astype(mx.float32) if y.dtype == mx.bfloat16 else y).astype(dtype)

    def derivative(x: np.ndarray) -> np.ndarray:
        array = given(x)
        return taken(mx.vjp(function, [array], [mx.ones_like(array)])[1][0], x.dtype)

    def strided(x: np.ndarray) -> np.ndarray:
        return taken(function(given(np.repeat(x, 2))[::2]), x.dtype)

    def evaluate(x: np.ndarray) -> np.ndarray:
        return taken(function(given(x)), x.dtype)

    return Subject(call, form, evaluate, SHORT, derivative, strided)


def mlx() -> Package:
    """MLX, in its version for the processor."""
    import mlx.core as mx
    import mlx.nn as nn

    mx.set_default_device(mx.cpu)
    subjects = {
        "mlx-erf": _mlx_subject("mlx.nn.gelu(x)", "exact", nn.gelu),
        "mlx-tanh": _mlx_subject("mlx.nn.gelu_approx(x)", "tanh", nn.gelu_approx),
        "mlx-sigmoid": _mlx_subject("mlx.nn.gelu_fast_approx(x)", "sigmoid", nn.gelu_fast_approx),
    }
    default = _mlx_subject("mlx.nn.GELU()(x)", "exact", nn.GELU())
    return Package(("mlx", "mlx-cpu"), subjects, {"mlx.nn.GELU()": default.evaluate})


def openvino() -> Package:
    """OpenVINO on the processor, told to compute in the type that it is given."""
    import openvino as ov
    from openvino import opset7

    def compiled(mode: str):
        x = ov.op.Parameter(ov.Type.f32, ov.PartialShape([-1]))
        node = opset7.gelu(x, mode) if mode else opset7.gelu(x)
        options = {"INFERENCE_PRECISION_HINT": "f32"}
        model = ov.compile_model(ov.Model([node], [x]), "CPU", options)
        return lambda values: np.array(model(np.array(values))[0])

    subjects = {
        f"openvino-{mode.lower()}": Subject(
            f'opset7.gelu(x, "{mode}")', form, compiled(mode), ("float32",)
        )
        for mode, form in (("ERF", "exact"), ("TANH", "tanh"))
    }
    return Package(("openvino",), subjects)


def paddle() -> Package:
    """PaddlePaddle on the processor."""
    import paddle
    from paddle.nn.functional import gelu

    paddle.set_device("cpu")

    def subject(form: str, approximate: bool) -> Subject:
        def derivative(x: np.ndarray) -> np.ndarray:
            tensor = paddle.to_tensor(x, stop_gradient=False)
            y = gelu(tensor, approximate=approximate)
            return paddle.grad([y], [tensor], [paddle.ones_like(y)])[0].numpy()

        call = f"paddle.nn.functional.gelu(x, approximate={approximate})"
        return Subject(
            call,
            form,
            lambda x: gelu(paddle.to_tensor(x), approximate=approximate).numpy(),
            ALL[:2],
            derivative,
        )

    subjects = {"paddle-erf": subject("exact", False), "paddle-tanh": subject("tanh", True)}
    defaults = {"paddle.nn.functional.gelu": lambda x: gelu(paddle.to_tensor(x)).numpy()}
    return Package(("paddlepaddle",), subjects, defaults)


PACKAGES: dict[str, Callable[[], Package]] = {
    package.__name__: package
    for package in (
        torch,
        transformers,
        jax,
        flax,
        tensorflow,
        keras,
        onnxruntime,
        mlx,
        openvino,
        paddle,
    )
}
"""The packages by the names under which they are imported."""
