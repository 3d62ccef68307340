"""The sliders of the notebooks: they move a figure in Jupyter Lab, and no other run has any."""

import sys
from pathlib import Path

import ipywidgets
import nbformat
import pytest
from jupyter_client.manager import KernelManager
from traitlets.config import Config

from gelu_lib.show import slider, sliders

BOOK = Path(__file__).resolve().parents[2] / "book"
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_a_slider_begins_where_the_function_does_and_each_move_calls_it(monkeypatch):
    drawn, made = [], []
    monkeypatch.setattr(sliders, "somebody_runs_it", lambda: True)
    monkeypatch.setattr(ipywidgets, "interact", lambda moved, **given: made.append((moved, given)))
    slider(lambda k=0.5, n=3: drawn.append((k, n)), k=(0.0, 1.0, 0.25), n=(1, 9, 1))
    ((moved, given),) = made
    assert [type(one) for one in given.values()] == [ipywidgets.FloatSlider, ipywidgets.IntSlider]
    said = [(one.value, one.min, one.max, one.step) for one in given.values()]
    assert said == [(0.5, 0, 1, 0.25), (3, 1, 9, 1)]
    assert moved(k=0.25, n=4) is None and drawn == [(0.25, 4)]


def fails(k=0.5):
    pytest.fail("it was drawn")


def test_what_is_no_argument_with_a_default_is_refused_everywhere():
    for draw, names in ((fails, {"c": (0, 1, 1)}), (lambda k: None, {"k": (0, 1, 1)})):
        with pytest.raises(TypeError, match=r"^[ck]: accepted are "):
            slider(draw, **names)


def test_without_ipywidgets_one_line_says_so(monkeypatch, capsys):
    monkeypatch.setattr(sliders, "somebody_runs_it", lambda: True)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    slider(fails, k=(0.0, 1.0, 0.25))
    assert capsys.readouterr().out == sliders.MISSING + "\n"


def test_only_an_editor_gets_a_slider():
    assert slider(fails, k=(0.0, 1.0, 0.25)) is None  # outside a notebook
    encrypted = Config({"KernelManager": {"transport_encryption": "auto"}})
    manager = KernelManager(kernel_name="python3", config=encrypted)
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        source = "from gelu_lib.show import slider; slider(lambda k=1: print(k), k=(1, 2, 1))"
        assert shown(client, source, {}) == []
        kinds = [kind for data in shown(client, source, {"cellId": "a"}) for kind in data]
        assert WIDGET in kinds
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def shown(client, source, metadata):
    """What a cell shows that is sent with this metadata, each by its kinds."""
    content = {"code": source, "silent": False, "store_history": True, "user_expressions": {}}
    content |= {"allow_stdin": False, "stop_on_error": True}
    message = client.session.msg("execute_request", content, metadata=metadata)
    client.shell_channel.send(message)
    found = []
    while True:
        answer = client.get_iopub_msg(timeout=60)
        if answer["parent_header"].get("msg_id") != message["header"]["msg_id"]:
            continue
        assert answer["msg_type"] != "error", answer["content"]
        if answer["msg_type"] in ("display_data", "execute_result"):
            found.append(answer["content"]["data"])
        if answer["content"].get("execution_state") == "idle":
            return found


@pytest.mark.parametrize("path", sorted(BOOK.glob("*.ipynb")), ids=lambda path: path.stem)
def test_no_notebook_stores_a_slider(path):
    notebook = nbformat.read(path, as_version=4)
    assert "widgets" not in notebook.metadata
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [output for output in outputs if WIDGET in output.get("data", {})] == []
