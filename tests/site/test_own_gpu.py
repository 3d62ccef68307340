"""The box that runs kernels on the reader's own GPU, tried with SwiftShader, a GPU in software."""

import json
import os
import re

import browser
import numpy as np
import page_checks
import pytest
import quickjs
from kinds import slow_but
from own_gpu import EXP2_ERROR, data, inputs, is_faithful, packed, places_below, runs, shown
from small_site import BOOK, OWN_THEME, sound

from gelu_lib.floats.kernels.judging import kernels
from gelu_lib.floats.kernels.programs import KernelProgram, Machine
from gelu_lib.floats.kernels.texts import (
    function_name,
    function_text,
    kernel_file,
    languages,
    usual_forms,
)
from gelu_lib.floats.types import float_type, ordinal, round_to

SCRIPT = (BOOK / "_static" / "own-gpu.js").read_text("utf-8")
NARROW = ("bfloat16", "float16")
# so much Chromium needs that a page has a GPU; see also the options of every browser of the tests
SOFTWARE = ("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader")
FIRST = "bfloat16-faithful"


# ---- The script without a page


class Script:
    """The functions of the script that need no GPU."""

    def __init__(self, script: str = SCRIPT) -> None:
        self._context = quickjs.Context()
        self._context.eval(script + f"const OWN_GPU = {json.dumps(data())};")

    def __call__(self, expression: str, given=None):
        self._context.set("given", json.dumps(given))
        return json.loads(
            self._context.eval(f"""(() => {{
              const {{types, kernels}} = OWN_GPU;
              const given = JSON.parse(globalThis.given);
              return JSON.stringify({expression});
            }})()""")
        )


@pytest.fixture(scope="module")
def script():
    return Script()


def bits_of(floats: np.ndarray) -> list[int]:
    return floats.astype(np.float32).view(np.uint32).tolist()


def hard_floats(dtype: str) -> np.ndarray:
    """Float32 of every size, middles of floats of a type and their neighbours, and infinities."""
    chosen = np.random.default_rng(1).integers(0, 2**32, 20000, dtype=np.uint32).view(np.float32)
    x = inputs(dtype)[::7].astype(np.float64)
    middles = np.float32((x[1:] + x[:-1]) / 2)
    near = [np.nextafter(middles, np.float32(end)) for end in (-np.inf, np.inf)]
    ends = np.float32([0, -0.0, 1e-45, -1e-45, np.inf, -np.inf])
    floats = np.concatenate([chosen, middles, *near, ends])
    return floats[~np.isnan(floats)]


def misplaced(script: Script, dtype: str) -> int:
    """How many float32 the script rounds to another number than the library."""
    floats = hard_floats(dtype)
    last = int(ordinal(np.array(np.inf, float_type(dtype).dtype)))
    places = script(f"given.map(bits => ownGpu.placeOf(bits, types.{dtype}))", bits_of(floats))
    right = ordinal(round_to(floats.astype(np.float64), dtype))
    return int((np.clip(places, -last, last) != right).sum())


@pytest.mark.parametrize("dtype", NARROW)
def test_the_script_rounds_as_the_library_does_and_nan_is_no_number(script, dtype):
    assert misplaced(script, dtype) == 0
    assert misplaced(Script(SCRIPT.replace("rest === 0.5 && below % 2", "rest === 0.5")), dtype)
    assert script(f"Number.isNaN(ownGpu.placeOf(0x7fc00000, types.{dtype}))")


@pytest.mark.parametrize("dtype", NARROW)
def test_the_script_has_the_inputs_and_the_allowed_results_of_the_library(script, dtype):
    assert script(f"[...ownGpu.inputsOf(types.{dtype})]") == bits_of(inputs(dtype))
    assert script(f"ownGpu.unpacked(types.{dtype}.below)") == places_below(dtype).tolist()


def test_what_is_packed_is_unpacked_and_runs_have_their_ends(script):
    numbers = [5, 6, 7, 7, -4, -5]
    assert packed(np.array(numbers)) == [5, 1, 2, 0, 1, -11, 1, -1, 1]
    assert script("ownGpu.unpacked(given)", packed(np.array(numbers))) == numbers
    assert runs(np.array([True, True, False, True])) == [(0, 1), (3, 3)]
    assert runs(np.zeros(3, bool)) == []


def test_a_result_between_the_two_floats_is_faithful_and_each_other_is_named(script):
    results = kernels()["float16-faithful"].program(inputs("float16")).copy()
    asked = "ownGpu.judged(given, types.float16, [[4, 6]])"
    whole = {"faithful": results.size, "flushed": [], "wrong": []}
    assert script(asked, bits_of(results)) == whole
    results[[3, 4, 5, 9]], results[700] = 1, np.nan
    judged = script(asked, bits_of(results))
    wrong = [[3, 3], [9, 9], [700, 700]]
    assert judged == {"faithful": results.size - 5, "flushed": [[4, 5]], "wrong": wrong}
    x = [f"−{-number:.0f}" for number in inputs("float16")[[4, 5, 3, 9, 700]]]
    assert script("ownGpu.sentences(given, types.float16)", judged) == (
        f"63,481 of 63,486 faithful. 2 lost where flushing can explain it: x = {x[0]} to {x[1]} "
        f"(2 inputs). 3 lost where flushing cannot explain it: x = {', '.join(x[2:])}."
    )


def test_of_many_runs_the_first_are_named_and_small_inputs_are_exact(script):
    middle = inputs("bfloat16").size // 2
    flushed = [[middle + i, middle + i] for i in (-1, 2, 4, 6, 8, 10)]
    said = script(
        "ownGpu.sentences(given, types.bfloat16)", {"faithful": 9, "flushed": flushed, "wrong": []}
    )
    assert said.endswith("x = −2⁻¹³³, 1.5·2⁻¹³², 1.25·2⁻¹³¹, 1.75·2⁻¹³¹ and 2 more.")


def test_what_wgsl_demands_of_exp2_is_enough_for_these_kernels_and_not_for_all():
    asks = {id: kernel.exp2_error for id, kernel in kernels().items() if kernel.exp2_error}
    enough = {id for id, error in asks.items() if 2.0**error >= EXP2_ERROR}
    assert {kernel.id for kernel in shown() if "exp2" in str(kernel.program)} <= enough < set(asks)


# ---- A GPU in software


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    """The address of a page with nothing but the box."""
    settings = {
        "extensions": ["myst_parser", "own_gpu"],
        "source_suffix": {".md": "markdown"},  # whatever another site has made of the default
        "html_static_path": [str(BOOK / "_static")],
        "html_css_files": ["book.css", "explorer.css"],
        "html_use_index": False,
    }
    files = {"index.md": "# The box\n\n```{own-gpu}\n```\n"}
    site = sound(tmp_path_factory.mktemp("own-gpu"), files, **OWN_THEME, **settings)
    with browser.serving(site) as address:
        yield f"{address}index.html"


@pytest.fixture(scope="module")
def with_gpu(chromium, box):
    """A page with the box, in a Chromium that offers SwiftShader to it."""
    program = chromium.browser_type.launch(
        executable_path=browser.chromium(), args=[*browser.OPTIONS, *SOFTWARE]
    )
    page = program.new_page()
    page.goto(box)
    if not page.evaluate("async () => Boolean(await navigator.gpu?.requestAdapter())"):
        lacking = f"{browser.chromium()} has no WebGPU in software"
        (pytest.fail if os.environ.get(browser.REQUIRED) else pytest.skip)(lacking)
    yield page
    program.close()


def computed(page, name: str, dtype: str) -> np.ndarray:
    """What a function of the file in WGSL gives at all inputs of a type, run in a page."""
    bits = page.evaluate(
        """async ([kernel, dtype]) => {
          const {gpu} = await ownGpu.device();
          return [...await ownGpu.computed(gpu, kernel, ownGpu.inputsOf(OWN_GPU.types[dtype]))];
        }""",
        [{"name": name, "text": kernel_file(languages()["WGSL"])}, dtype],
    )
    return np.array(bits, np.uint32).view(np.float32)


def outside(results: np.ndarray, program: KernelProgram, x: np.ndarray, **machine) -> int:
    """How many results are not between those of two machines, whose exp2 err by 2⁻²²."""
    ends = [program(x, Machine(exp2_error=error, **machine)) for error in (-(2.0**-22), 2.0**-22)]
    return int((~((results >= np.minimum(*ends)) & (results <= np.maximum(*ends)))).sum())


SWIFTSHADER = {"fused": False, "flushes": True}
"""What SwiftShader does, by the test below: it rounds twice in fma, and flushes."""


PROGRAMS = {function_name(kernel): (kernel.program, kernel.dtype) for kernel in kernels().values()}
PROGRAMS |= {
    name: (program, "float32")
    for name, (program, _) in usual_forms().items()
    if "erfc" not in str(program)  # which WGSL does not have
}


@pytest.mark.browser
@pytest.mark.parametrize("name", slow_but("gelu_bfloat16_faithful".__eq__, PROGRAMS))
def test_the_file_computes_what_the_program_does_at_every_input(with_gpu, name):
    program, dtype = PROGRAMS[name]
    dtype = "float16" if dtype == "float32" else dtype
    x = inputs(dtype)
    results = computed(with_gpu, name, dtype)
    assert results.size == {"bfloat16": 65278, "float16": 63486}[dtype]
    assert outside(results, program, x, **SWIFTSHADER) == 0
    if "fma" in str(program):
        assert outside(results, program, x, fused=True, flushes=True)
    if dtype == "bfloat16":
        assert outside(results, program, x, fused=False, flushes=False)


# ---- The button


def pressed(page, box: str, change: str = "") -> str:
    """What the box says after its button was pressed, with a changed kernel in the page."""
    page.goto(box)
    if change:
        page.evaluate(change)
    page.get_by_role("button", name="Run it on my GPU").click()
    status = page.get_by_role("status")
    page.wait_for_function("e => !/^$|computes/.test(e.textContent)", arg=status.element_handle())
    return status.inner_text()


@pytest.mark.browser
def test_the_button_says_how_many_results_are_faithful_and_names_the_others(with_gpu, box):
    first, *lines = pressed(with_gpu, box).split("\n\n")
    assert first == "Your GPU (google swiftshader, a program that stands in for a GPU):"
    assert len(lines) == len(shown())
    for kernel, line in zip(shown(), lines, strict=True):
        x = inputs(kernel.dtype)
        faithful = is_faithful(kernel.program(x, Machine(**SWIFTSHADER)), kernel.dtype)
        assert line.startswith(f"{kernel.id}: {faithful.sum():,} of {x.size:,} faithful.")
        many = [int(found.replace(",", "")) for found in re.findall(r"([\d,]+) lost where", line)]
        assert many == [x.size - faithful.sum()] * (not faithful.all())
        assert "cannot" not in line
    assert "x = −13.5 to −13 (9 inputs), −2⁻¹²⁵ to −1.5·2⁻¹³² (254 inputs), 2⁻¹³²" in lines[2]
    assert page_checks.axe_rules(with_gpu) == []


def replaced(id: str, old: str, new: str) -> str:
    """A script that changes the text of a kernel in a page."""
    place = [kernel.id for kernel in shown()].index(id)
    text = f"OWN_GPU.kernels[{place}].text"
    assert old in function_text(kernels()[id].program, "f", languages()["WGSL"])
    return f"{text} = {text}.replace({old!r}, {new!r})"


@pytest.mark.browser
def test_another_coefficient_is_noticed_and_a_text_that_is_no_shader_is_refused(with_gpu, box):
    given = kernels()[FIRST].coefficients[-2]
    other = replaced(FIRST, f"{given}f", f"{given.replace('0x1.5', '0x1.6')}f")
    line = next(line for line in pressed(with_gpu, box, other).split("\n") if f"{FIRST}:" in line)
    assert re.search(r"\d lost where flushing cannot explain it: x = −", line)
    said = pressed(with_gpu, box, replaced(FIRST, "exp2(", "exp3("))
    assert said.startswith("It could not be done: ") and "exp3" in said


@pytest.mark.browser
def test_without_a_gpu_without_webgpu_and_without_javascript_the_page_says_so(chromium, box):
    page = chromium.new_page()
    said = pressed(page, box)
    assert said == "It could not be done: this browser offers no GPU to its pages."
    page.add_init_script("delete Navigator.prototype.gpu")
    page.goto(box)
    assert page.get_by_role("status").inner_text().startswith("WebGPU is missing here")
    assert not page.get_by_role("button", name="Run it on my GPU").is_visible()
    page.close()
    page = chromium.new_page(java_script_enabled=False)
    page.goto(box)
    assert not page.locator("#own-gpu-box").is_visible()
    assert page.locator("noscript p").is_visible()
    page.close()
