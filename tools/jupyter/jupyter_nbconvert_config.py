"""What nbconvert does with the notebooks of the book, in Jupyter Lab's menu too.

    JUPYTER_CONFIG_PATH=tools/jupyter .venv/bin/jupyter nbconvert --to html book/gelu.ipynb

The templates of nbconvert give no drawing the words that describe it, and a PDF wants Inkscape for
one that is there in pixels too. Of a number that a cell hands to the text nbconvert warns that it
cannot show it, though the cell prints it.
"""

from base64 import b64encode
from html import escape


def exported(notebook, resources):
    """Drawings as HTML with their words, beside the pixels; the text has what is kept for it."""
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        cell.outputs = [o for o in cell.outputs if "scrapbook" not in o.get("metadata", {})]
        for output in cell.outputs:
            words = output.get("metadata", {}).get("image/png", {}).get("alt")
            if words and (drawing := output.data.pop("image/svg+xml", "")):
                data = b64encode(drawing.encode()).decode()
                tag = f'<img alt="{escape(words)}" src="data:image/svg+xml;base64,{data}">'
                output.data["text/html"] = tag
    return notebook, resources


c.Exporter.preprocessors = [exported]  # noqa: F821  (Jupyter gives its configuration this name)
c.SVG2PDFPreprocessor.enabled = False  # noqa: F821  (Inkscape's)
