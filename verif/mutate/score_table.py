#!/usr/bin/env python3
"""Writes the scores of `l1forge verify` into docs/verification.md, from the JSON files in a folder.

For the figures of each unit: l1forge verify UNIT --mutants N --json FOLDER/UNIT.json
Then: verif/mutate/score_table.py FOLDER
Units without a file there keep their rows.
"""
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/verification.md"
BEGIN, END = "<!-- mutants -->\n", "<!-- /mutants -->\n"


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |\n"


def score(mutants, killed, equivalent):
    return f"{100 * killed / (mutants - equivalent):.1f} %" if mutants > equivalent else "-"


def rows_of(report):
    """Cells of the table, a row a module."""
    cycles = f"{report['cycles']:,}" if report["cycles"] else "default"
    for m in report["modules"]:
        counts = [m["mutants"], m["killed"], m["equivalent"], m["unknown"], len(m["survived"])]
        yield [f"`{report['top']}`", f"`{m['module']}`", cycles, *map(str, counts), score(*counts[:3])]


def left_of(report):
    """Cells of the list of those that are left."""
    for m in report["modules"]:
        for result, mutants in (("survived", m["survived"]), ("unknown", m["undecided"])):
            for mutant in mutants:
                change = mutant["change"].replace("|", "\\|")
                yield [f"`{report['top']}`", f"`{m['module']}`", f"`{mutant['net']}`", change, result]


def stated(text, cells):
    """Rows of so many cells that the page has, by their unit."""
    units = {}
    for line in text.splitlines():
        row_cells = re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |"))
        if len(row_cells) == cells and row_cells[0].startswith("`"):
            units.setdefault(row_cells[0], []).append(row_cells)
    return units


def merged(text, reports, cells, rows):
    units = stated(text, cells)
    for report in reports:
        units[f"`{report['top']}`"] = list(rows(report))
    return [cells for unit in sorted(units) for cells in units[unit]]


def scores(text, reports):
    all_rows = merged(text, reports, 9, rows_of)
    text = row("unit", "module", "cycles", "mutants", "killed", "equivalent", "unknown", "survived", "score")
    text += row(*["---"] * 9) + "".join(row(*cells) for cells in all_rows)
    total = [sum(int(cells[n]) for cells in all_rows) for n in range(3, 8)]
    return text + row("all", "", "", *total, score(*total[:3]))


def left(text, reports):
    head = row("unit", "module", "net", "change", "result") + row(*["---"] * 5)
    return head + "".join(row(*cells) for cells in merged(text, reports, 5, left_of))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: score_table.py FOLDER")
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    if not files:
        sys.exit(f"{sys.argv[1]}: has no *.json; write them with l1forge verify --json")
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    now, after = rest.split(END)
    reports = [json.loads(f.read_text()) for f in files]
    PAGE.write_text(before + BEGIN + scores(now, reports) + "\n" + left(now, reports) + END + after)


if __name__ == "__main__":
    main()
