#!/usr/bin/env python3
"""Draws every example with `poise graph`: Graphviz must accept the diagram without a warning, and the SVG must be
well-formed XML that shows every state and every rule, whatever the model is called.

    POISE=PROGRAM draw_examples.py
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
ODD_NAMES = ['quote"quote', "back\\slash\\N\\G", "a&b <c> &amp; ]]>", "Büro 会議 ☎", "dash--dash", "new\nline"]
STATE = re.compile(r"^state\s+(.*)$", re.MULTILINE)
RULE = re.compile(r"^rule\s+([\w.]+)", re.MULTILINE)


def drawn(program, model, *options):
    """The SVG's elements; ends the test if there is none."""
    dot = subprocess.run([program, "graph", *options, model], capture_output=True, check=True).stdout
    warnings = subprocess.run(["dot", "-Tcanon"], input=dot, capture_output=True, check=True).stderr
    assert not warnings, f"{model}: Graphviz warns: {warnings.decode()}"
    svg = subprocess.run([program, "graph", "--format", "svg", *options, model], capture_output=True, check=True).stdout
    return xml.etree.ElementTree.fromstring(svg)


def words(svg):
    return " ".join(text.text or "" for text in svg.iter(SVG + "text"))


def title(svg):
    return svg.find(f"{SVG}g/{SVG}title").text


def main():
    program = os.environ.get("POISE")
    if not program:
        sys.exit("draw_examples.py: the environment variable POISE must name the program")
    # A policy has no states to draw.
    models = [model for model in sorted((ROOT / "examples").rglob("*.poise")) if STATE.search(model.read_text(encoding="utf-8"))]
    assert models, "no examples"
    for model in models:
        text = model.read_text(encoding="utf-8")
        states = re.findall(r"[\w.]+", " ".join(STATE.findall(text)).replace(" initial", "").replace(" final", ""))
        for options in ([], ["--faults"]):
            shown = words(drawn(program, model, *options))
            for name in states + RULE.findall(text):
                assert name in shown, f"{model}: `{name}` is not in the picture"
    with tempfile.TemporaryDirectory() as folder:
        for name in ODD_NAMES:
            model = pathlib.Path(folder) / f"{name}.poise"
            model.write_text("sense a : bool\nstate A initial\nstate B\nrule go: A -> B when a\n", encoding="utf-8")
            for options in ([], ["--faults"]):
                svg = drawn(program, model, *options)
                assert title(svg) == name, f"`{name}` became `{title(svg)}`"
                assert name.split("\n")[0] in words(svg).replace("\u200b", ""), f"`{name}` is not in {words(svg)!r}"
    print(f"{len(models)} examples and {len(ODD_NAMES)} odd names drawn")


if __name__ == "__main__":
    main()
