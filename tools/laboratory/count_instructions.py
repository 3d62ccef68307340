"""Count the instructions that nvcc makes of the kernels and of formulas that are shipped.

    .venv/bin/python tools/laboratory/count_instructions.py [ARCHITECTURE ...]

compiles gelu.h and the formulas for the architectures, sm_80, sm_90 and sm_100 if none is given,
and prints for each how many arithmetic instructions there are beside those of a copy, how many of
them are of the unit for special functions, and the slots: 1 for each, 4 for one of that unit. What
loads a constant, moves a number or makes an address is left out. It needs nvcc, and no GPU.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where command_line is
import command_line

if __name__ == "__main__":  # before what takes seconds to import
    GIVEN = command_line.read(__doc__, architectures={"nargs": "*", "metavar": "ARCHITECTURE"})

from gelu_lib.floats.kernels.judging import kernels, prices
from gelu_lib.floats.kernels.texts import function_name, kernel_file, languages

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
COPY = "x"
FORMS = {
    "exact, 1 + erff": "x * 0.5f * (1.0f + erff(x * 0.70710678f))",
    "exact, erfcf": "0.5f * x * erfcf(x * -0.70710678f)",
    "exact, normcdff": "x * normcdff(x)",
    "tanh form, tanhf": "0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)))",
    "tanh form, tanh.approx": "0.5f * x * (1.0f + approximate_tanh"
    "(0.79788456f * x * (1.0f + 0.044715f * x * x)))",
    "tanh form, tanh.approx, rewritten": "fmaf(0.5f * x, approximate_tanh"
    "(x * fmaf(0.035677408f, x * x, 0.79788456f)), 0.5f * x)",
    "tanh form, __expf and __fdividef": "__fdividef(x, 1.0f + __expf"
    "(-1.5957691f * x * fmaf(0.044715f, x * x, 1.0f)))",
    "sigmoid form, expf and /": "x / (1.0f + expf(-1.702f * x))",
    "sigmoid form, __expf and __fdividef": "__fdividef(x, 1.0f + __expf(-1.702f * x))",
}
"""What is shipped, as an expression of CUDA in x; the tanh form with tanh.approx is CUTLASS's."""
TANH = """
static __device__ float approximate_tanh(float a) {
  float t;
  asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(a));
  return t;
}
"""
KERNEL = """
extern "C" __global__ void run_{0}(const float *in, float *out) {{
  const float x = in[threadIdx.x];
  out[threadIdx.x] = {1};
}}
"""

BYTES = 16  # of an instruction since sm_70; the lowest 9 bits say which it is
SPECIAL = 0x108  # MUFU
EXIT = 0x14D
LEFT_OUT = {
    0x002,  # MOV
    0x024,  # IMAD, as which a number is moved
    0x031,  # HFMA2, by which a constant is made of two halves
    0x035,  # HFMA2.MMA, the same
    0x182,  # LDC
    0x0B9,  # ULDC
    0x1AC,  # LDCU
    0x025,  # IMAD.WIDE, an address
    0x011,  # LEA, an address
}


def counted(expressions: Mapping[str, str], architecture: str) -> dict[str, tuple[int, int]]:
    """How many instructions there are of each expression, and how many of them are special.

    Args:
        expressions: in x, by any name; they may call the functions of gelu.h.
        architecture: such as ``"sm_90"``.
    """
    texts = [KERNEL.format(i, text) for i, text in enumerate([COPY, *expressions.values()])]
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "kernels.cu"), Path(folder, "kernels.cubin")
        source.write_text(kernel_file(languages()["C"]) + TANH + "".join(texts))
        command = ["nvcc", "-Werror", "all-warnings", f"-arch={architecture}", "-cubin"]
        subprocess.run([*command, "-o", cubin, source], check=True)
        found = {
            name: operations(code)
            for name, code in sections(cubin.read_bytes())
            if name.startswith(".text.run_")
        }
    copy, *others = (found[f".text.run_{i}"] for i in range(len(texts)))
    beside = [one - copy for one in others]
    return {
        name: (one.total(), one[SPECIAL]) for name, one in zip(expressions, beside, strict=True)
    }


def sections(elf: bytes) -> Iterator[tuple[str, bytes]]:
    """The sections of a file in the format ELF, of 64 bits, by name."""
    (table,) = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    heads = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    for name, _, _, _, start, length in heads:
        at = heads[names][4] + name
        yield elf[at : elf.index(b"\0", at)].decode(), elf[start : start + length]


def operations(code: bytes) -> Counter[int]:
    """The operations of a function, without what loads or moves, and without its padding."""
    words = [struct.unpack_from("<Q", code, at)[0] for at in range(0, len(code), BYTES)]
    every = [word & 0x1FF for word in words]
    return Counter(one for one in every[: every.index(EXIT)] if one not in LEFT_OUT)


def slots(instructions: int, special: int) -> int:
    """What they cost by the model of ``data/kernels.toml``."""
    return instructions + (prices()["exp2"] - 1) * special


def main(architectures: list[str]) -> None:
    """Count and print."""
    named = {function_name(kernel): f"{function_name(kernel)}(x)" for kernel in kernels().values()}
    for architecture in architectures or ARCHITECTURES:
        for name, (instructions, special) in counted(named | FORMS, architecture).items():
            print(
                f"{architecture:7}{name:40}{instructions:4} instructions, {special} of them"
                f" special: {slots(instructions, special):3} slots"
            )


if __name__ == "__main__":
    main(GIVEN.architectures)
