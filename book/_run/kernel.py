"""A notebook kernel for the browser: what the chapters ask of IPython, and no more."""

import ast
import builtins
import dis
import io
import json
import linecache
import logging
import re
import sys
import tokenize
import types
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from textwrap import dedent
from traceback import TracebackException

FORMS = {
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
    "application/json": "_repr_json_",
}
OPTIONAL = {"flint": "python-flint", "ml_dtypes": "ml_dtypes"}  # a set of files may lack them
BUILTINS = dict(vars(builtins))

outputs = []  # of the cell that runs
lost = {}  # a name that no cell could bind, for want of a package: that package
saved = {}  # how figures are saved, as the house style sets it
namespace = {}
numbers = count(1)


class Stream(io.TextIOBase):
    """What a cell prints; a notebook stores it as one output, at the place of its first word."""

    def __init__(self, name):
        self.name = name

    def write(self, text):
        found = next((one for one in outputs if one.get("name") == self.name), None)
        if found:
            found["text"] += text
        else:
            put("stream", name=self.name, text=text)
        return len(text)


def put(kind, **more):
    """Add an output, as it is now; what JSON cannot have is an error of the cell."""
    output = {"output_type": kind, **more}
    outputs.append(json.loads(json.dumps(output, allow_nan=False)))


def display(*values, raw=False, **_):
    for value in values:
        put("display_data", data=value if raw else shown(value))


def shown(value):
    """A value in every form that it offers."""
    methods = {form: getattr(type(value), name, None) for form, name in FORMS.items()}
    found = {form: method(value) for form, method in methods.items() if method}
    return {form: text for form, text in found.items() if text is not None} | {
        "text/plain": repr(value)
    }


def show_figures(*_, **__):
    """Put out the figures that are open, in order, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    for number in pyplot.get_fignums() if pyplot else ():
        file = io.StringIO()
        pyplot.figure(number).savefig(file, format="svg", **(saved or {"bbox_inches": "tight"}))
        put("display_data", data={"image/svg+xml": file.getvalue(), "text/plain": ""})
        pyplot.close(number)


# ---- In place of IPython


def stand_in(name, **members):
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(members, __path__=[])


def ignore(*_):
    pass


def no_input(*_):
    raise RuntimeError("input() does not work here")


events = types.SimpleNamespace(register=ignore, unregister=ignore)
shell = types.SimpleNamespace(run_line_magic=ignore, events=events)
stand_in("IPython", get_ipython=lambda: shell, version_info=(9, 0))
stand_in("IPython.display", display=display)
stand_in("IPython.core")
stand_in("IPython.core.pylabtools", backend2gui={})  # Matplotlib looks at it
stand_in("matplotlib_inline")
stand_in(
    "matplotlib_inline.backend_inline",
    set_matplotlib_formats=lambda *formats, **options: saved.update(options),
)


def fresh():
    """Begin a notebook: no name is bound, and gelu_lib will be imported anew."""
    global namespace
    for name in [name for name in sys.modules if name.partition(".")[0] == "gelu_lib"]:
        del sys.modules[name]
    lost.clear()
    saved.clear()
    if find_spec("matplotlib"):
        logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # makes its list
        import matplotlib.pyplot as plt

        plt.close("all")
        plt.rcdefaults()
        plt.show = show_figures
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    namespace = main.__dict__
    namespace.update(display=display, get_ipython=lambda: shell, input=no_input)


# ---- A cell


def run_cell(code):
    """Run the code of a cell; a fault of it is one of its outputs.

    Returns:
        JSON: ``outputs`` as a notebook stores them, and ``needs``, the package for want of which
        the cell did not run to its end, or null.
    """
    outputs.clear()
    name, needs = f"<cell {next(numbers)}>", None
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    try:
        execute(dedent(code), name)
    except BaseException as error:  # a cell may exit, too
        vars(builtins).update(BUILTINS)
        needs = package_for(error)
        put("error", ename=type(error).__name__, **described(error, name))
    finally:
        vars(builtins).update(BUILTINS)  # this kernel and the next cell need what a cell removed
        sys.stdout, sys.stderr = streams
    # notebooks are stored with sorted keys
    return json.dumps({"outputs": outputs, "needs": needs}, sort_keys=True)


def execute(code, name):
    """Run all lines, and put out the value of the last one if it is an expression."""
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")  # what a cell that failed left open
    tree, last = ast.parse(code, name), None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not is_hushed(code):
        last = ast.Expression(tree.body.pop().value)
    program = compile(tree, name, "exec")
    try:
        exec(program, namespace)
    except (ImportError, NameError) as error:
        if package := package_for(error):  # what the cell itself would have bound is lost
            steps = dis.get_instructions(program)
            names = {step.argval for step in steps if step.opname == "STORE_NAME"}
            lost.update(dict.fromkeys(names - namespace.keys(), package))
        raise
    if last and (value := eval(compile(last, name, "eval"), namespace)) is not None:
        put("execute_result", data=shown(value))
    show_figures()


def is_hushed(code):
    """Whether code ends in a semicolon, be there a comment behind it or not."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    words = [one.string for one in tokens if one.type != tokenize.COMMENT and one.string.strip()]
    return words[-1] == ";"


def package_for(error):
    """The package that an error asks for, or that a cell lacked which should have bound a name."""
    if type(error) is NameError:
        return lost.get(error.name)
    if not isinstance(error, ImportError):
        return None
    chain = (error, error.__cause__ or error.__context__)
    missing = (one.name for one in chain if isinstance(one, ModuleNotFoundError))
    return next((OPTIONAL[name] for name in missing if name in OPTIONAL), None)


def described(error, name):
    """The words of an error; and the lines of cells, with the one elsewhere that it ended with."""
    told = TracebackException.from_exception(error)  # bears it that an error cannot be put in words
    if isinstance(error, SyntaxError) and error.filename == name:
        line = linecache.getline(name, error.lineno or 1).strip()
        words = of_ipython(error.msg, line) or error.msg
        return {"evalue": words, "traceback": [f"line {error.lineno}: {line}"]}
    frames = [frame for frame in told.stack[:-1] if frame.filename.startswith("<cell ")]
    lines = [
        f"{where(frame.filename, name)}line {frame.lineno}: {frame.line}"
        for frame in frames + told.stack[-1:]
    ]
    return {"evalue": str(told), "traceback": lines}


def of_ipython(fault, line):
    """A sentence on what a notebook may say, and Python may not."""
    found = re.match(r"(?:[\w, ]+= *)?([%!]+\w*)|.*?(\?+)$", line)
    what = found[found.lastindex] if found else "await" if re.search("await|async", fault) else ""
    return what and f"{what} is IPython’s, and does not run here"


def where(file, name):
    here = "another cell, " if file.startswith("<cell ") else f"{Path(file).name}, "
    return "" if file == name else here


fresh()
