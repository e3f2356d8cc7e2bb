#!/usr/bin/env python3
"""Writes the scores of `l1forge verify` into docs/verification.md, from the JSON files in a folder.

For the figures of each unit: l1forge verify UNIT --mutants N --json FOLDER/UNIT.json
Then: verif/mutate/score_table.py FOLDER
"""
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/verification.md"
BEGIN, END = "<!-- mutants -->\n", "<!-- /mutants -->\n"


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |\n"


def score(mutants, killed, equivalent):
    return f"{100 * killed / (mutants - equivalent):.1f} %" if mutants > equivalent else "-"


def scores(reports):
    text = row("unit", "module", "mutants", "killed", "equivalent", "unknown", "survived", "score")
    text += row(*["---"] * 8)
    total, longer = [0] * 5, 0
    for report in reports:
        longer += report["killed_in"].get("longer random", 0)
        for m in report["modules"]:
            counts = [m["mutants"], m["killed"], m["equivalent"], m["unknown"], len(m["survived"])]
            text += row(f"`{report['top']}`", f"`{m['module']}`", *counts, score(*counts[:3]))
            total = [a + b for a, b in zip(total, counts)]
    text += row("all", "", *total, score(*total[:3]))
    text += f"\n{longer} of the {total[1]} kills need the longer second run; "
    return text + f"without it the score is {score(total[0], total[1] - longer, total[2])}.\n"


def left(reports):
    text = row("module", "net", "change", "result") + row(*["---"] * 4)
    for report in reports:
        for m in report["modules"]:
            for result, mutants in (("survived", m["survived"]), ("unknown", m["undecided"])):
                for mutant in mutants:
                    change = mutant["change"].replace("|", "\\|")
                    text += row(f"`{m['module']}`", f"`{mutant['net']}`", change, result)
    return text


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: score_table.py FOLDER")
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    if not files:
        sys.exit(f"{sys.argv[1]}: has no *.json; write them with l1forge verify --json")
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    reports = [json.loads(f.read_text()) for f in files]
    PAGE.write_text(before + BEGIN + scores(reports) + "\n" + left(reports) + END + after)


if __name__ == "__main__":
    main()
