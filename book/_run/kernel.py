"""A notebook kernel for the browser: what the chapters ask of IPython, and no more."""

import ast
import io
import json
import linecache
import logging
import sys
import traceback
import types
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from pprint import pformat

WIDEST = 79  # of a value in plain text; a longer list or dictionary gets lines
FORMS = {
    "text/markdown": "_repr_markdown_",
    "text/latex": "_repr_latex_",
    "image/svg+xml": "_repr_svg_",
    "application/json": "_repr_json_",
}

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
    outputs.append({"output_type": kind, **more})


def display(*values, raw=False, **_):
    for value in values:
        put("display_data", data=value if raw else shown(value))


def shown(value):
    """A value in every form that it offers."""
    methods = {form: getattr(type(value), name, None) for form, name in FORMS.items()}
    found = {form: method(value) for form, method in methods.items() if method}
    plain = repr(value)
    if len(plain) > WIDEST and isinstance(value, dict | list | tuple | set):
        plain = pformat(value, sort_dicts=False)
    return {form: text for form, text in found.items() if text is not None} | {"text/plain": plain}


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
    namespace.update(display=display, get_ipython=lambda: shell)


# ---- A cell


def run_cell(code):
    """Run the code of a cell.

    Returns:
        JSON: ``outputs`` as a notebook stores them, and ``needs``, the package for want of which
        the cell did not run to its end, or null.
    """
    outputs.clear()
    name, needs = f"<cell {next(numbers)}>", None
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")
    try:
        execute(code, name)
    except BaseException as error:  # a cell may exit, too
        if needs := package_for(error):
            lost.update(dict.fromkeys(bound(code) - namespace.keys(), needs))
        put("error", ename=type(error).__name__, evalue=str(error), traceback=places(error, name))
    finally:
        sys.stdout, sys.stderr = streams
        if plt := sys.modules.get("matplotlib.pyplot"):
            plt.close("all")
    # notebooks are stored with sorted keys
    return json.dumps({"outputs": outputs, "needs": needs}, sort_keys=True)


def execute(code, name):
    """Run all lines, and put out the value of the last one if it is an expression."""
    tree, last = ast.parse(code, name), None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), namespace)
    if last and (value := eval(compile(last, name, "eval"), namespace)) is not None:
        put("execute_result", data=shown(value))
    show_figures()


def package_for(error):
    """The package that an error asks for, or that a cell lacked which should have bound a name."""
    if isinstance(error, NameError):
        return lost.get(error.name)
    while error:
        package = (getattr(error, "name", None) or "").partition(".")[0]
        if isinstance(error, ModuleNotFoundError) and package not in sys.modules:
            return package
        error = error.__cause__ or error.__context__
    return None


def bound(code):
    """The names that code binds, wherever in it."""
    nodes = list(ast.walk(ast.parse(code)))
    stored = (node for node in nodes if isinstance(getattr(node, "ctx", None), ast.Store))
    names = {node.id for node in stored if isinstance(node, ast.Name)}
    names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    aliases = (node for node in nodes if isinstance(node, ast.alias))
    return names | {one.asname or one.name.partition(".")[0] for one in aliases}


def places(error, name):
    """A short traceback: the lines of cells, and the one elsewhere that it ended with."""
    if isinstance(error, SyntaxError) and error.filename == name:
        return [f"line {error.lineno}: {(error.text or '').strip()}"]
    frames = traceback.extract_tb(error.__traceback__)
    told = [frame for frame in frames[:-1] if frame.filename.startswith("<cell ")] + frames[-1:]
    return [f"{place(frame.filename, name)}line {frame.lineno}: {frame.line}" for frame in told]


def place(file, name):
    here = "another cell, " if file.startswith("<cell ") else f"{Path(file).name}, "
    return "" if file == name else here


fresh()
