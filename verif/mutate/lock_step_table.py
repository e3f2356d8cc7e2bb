#!/usr/bin/env python3
"""Writes the time in lock step into docs/verification.md, from the JSON files in a folder.

For each run: l1forge cosim UNIT --random N --seed S --json FOLDER/UNIT.S.json
Then: verif/mutate/lock_step_table.py FOLDER
Units without a file there keep their rows. A run with a mismatch, and a seed that is there twice, are errors.
"""
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/verification.md"
BEGIN, END = "<!-- lock step -->\n", "<!-- /lock step -->\n"
HEAD = ["unit", "runs", "cycles", "seconds", "goals missed"]


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def cells_of(unit, files):
    """Of all runs of a unit; a goal is missed where no run reached it."""
    reports = [json.loads(f.read_text()) for f in files]
    for file, report in zip(files, reports):
        if report["mismatches"] or not report["passed"]:
            sys.exit(f"{file}: the run failed")
    if len({r["seed"] for r in reports}) != len(reports):
        sys.exit(f"{unit}: two runs have one seed")
    cycles = sum(r["cycles"] for r in reports)
    seconds = sum(r["cycles"] / r["cosim_cycles_per_second"] for r in reports)
    missed = set.intersection(*(set(r["coverage"]["missed"]) for r in reports))
    return [f"`{unit}`", str(len(reports)), f"{cycles:,}", f"{seconds:.1f}", str(len(missed))]


def table(stated, files):
    rows = {}
    for line in stated.splitlines():
        cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
        if len(cells) == len(HEAD) and cells[0].startswith("`"):
            rows[cells[0]] = cells
    units = {}
    for file in files:
        units.setdefault(file.name.split(".")[0], []).append(file)
    for unit, runs in units.items():
        rows[f"`{unit}`"] = cells_of(unit, runs)
    text = row(HEAD) + row(["---"] + ["---:"] * 4) + "".join(row(rows[unit]) for unit in sorted(rows))
    cycles = sum(int(r[2].replace(",", "")) for r in rows.values())
    seconds = sum(float(r[3]) for r in rows.values())
    return text + row(["all", str(sum(int(r[1]) for r in rows.values())), f"{cycles:,}", f"{seconds:.1f}", ""])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: lock_step_table.py FOLDER")
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    if not files:
        sys.exit(f"{sys.argv[1]}: has no *.json; write them with l1forge cosim --json")
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    now, after = rest.split(END)
    PAGE.write_text(before + BEGIN + table(now, files) + END + after)


if __name__ == "__main__":
    main()
