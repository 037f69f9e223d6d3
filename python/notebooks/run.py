"""Run notebooks as scripts: python run.py NOTEBOOK.ipynb ..."""

import json
import sys
import time


def run(path):
    with open(path, encoding="utf-8") as f:
        cells = json.load(f)["cells"]
    names = {"__name__": "__main__"}
    for i, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path}, cell {i}", "exec"), names)


for path in sys.argv[1:]:
    began = time.monotonic()
    run(path)
    print(f"{path}: {time.monotonic() - began:.1f} s", flush=True)
