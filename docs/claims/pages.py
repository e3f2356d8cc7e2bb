"""Writes what pages of docs/results say of claims: figures and tables of the papers, and what holds.

usage: pages.py [--check]

A page has blocks between <!-- claims NAME --> and <!-- /claims -->, each mark in a line of its own:
    counts         the states of all figures and tables, by source
    items SOURCE   every figure and table of a source in one row: docs/claims/items/SOURCE.toml
    figures SOURCE the same with each of its claims
    summary SOURCE how many claims hold
    study NAME...  the claims whose stored figures come from these studies
The outcomes are those of docs/results/claims.md, which `l1forge claims -o docs/results/claims.md` writes.
With --check nothing is written, and pages that differ are named; exit status 1.
"""
import argparse
import pathlib
import re
import sys
import tomllib
from collections import Counter

DOCS = pathlib.Path(__file__).resolve().parents[1]
RESULTS = DOCS / "results"
SOURCES = ["tsc", "bucl", "decoupled-l1d", "dc-l1-thesis", "aci-thesis"]
STATES = {
    "reproduced": "each claim named holds",
    "refuted": "no claim named holds",
    "partly": "some of it is measured, or on other kernels or another set-up",
    "built": "a figure of hardware: a contract pins it and its tests prove it",
    "not yet": "can be measured, and is not",
    "cannot be": "a program, a model or a shape is missing",
    "background": "nothing to reproduce",
}
BLOCK = re.compile(r"(?m)^(<!-- claims (.+?) -->\n)(?:(?!<!-- claims ).*\n)*?(<!-- /claims -->)$")
ROW = re.compile(r'\| <a id="(?P<id>[^"]+)"></a>(?P<section>[^:]*): (?P<text>.*?)(?:<br>\*"(?P<words>.*)"\*)?'
                 r" \| (?P<kind>\w+) \| (?P<paper>.*?) \| (?P<here>.*?) \| (?P<holds>yes|no) \| (?P<why>.*?) \|"
                 r" (?P<stored>stored|now): (?P<results>.*?) \|$")


class Source:
    """A paper's claims and items."""

    def __init__(self, stem, outcomes):
        toml = tomllib.loads((DOCS / "claims" / f"{stem}.toml").read_text())
        self.name, self.results = toml["paper"], toml["result"]
        self.claims = {claim: outcomes[claim] for claim in toml["claim"]}
        self.sized = [claim for claim, keys in toml["claim"].items() if keys.get("sized")]
        items = tomllib.loads((DOCS / "claims/items" / f"{stem}.toml").read_text())["item"]
        self.items = [item for item in items if item["covers"] != "text"]
        self.text = [claim for item in items if item["covers"] == "text" for claim in item["claims"]]

    def state(self, item):
        """As coverage.md calls it."""
        if item["covers"] not in ("whole", "part"):
            return item["covers"]
        holds = [self.claims[claim]["holds"] == "yes" for claim in item.get("claims", [])]
        if item["covers"] == "part" or any(holds) != all(holds):
            return "partly"
        return "reproduced" if all(holds) else "refuted"

    def studies(self, claim):
        return {self.results[name].get("study") for name in self.claims[claim]["results"].split(", ")}


def link(claim):
    return f"[{claim}](claims.md#{claim})"


def outcomes():
    lines = (RESULTS / "claims.md").read_text().splitlines()
    return {row["id"]: row for row in (match.groupdict() for match in map(ROW.match, lines) if match)}


def counts(sources):
    states = {name: Counter(source.state(item) for item in source.items) for name, source in sources.items()}
    total = sum(states.values(), Counter())
    out = "".join(f"- {total[state]} {state}: {text}\n" for state, text in STATES.items())
    out += "\n| source | " + " | ".join(STATES) + " |\n| --- |" + " ---: |" * len(STATES) + "\n"
    for name, source in sources.items():
        out += f"| [{source.name}]({name}.md) | " + " | ".join(str(states[name][s]) for s in STATES) + " |\n"
    return out


def items(source):
    out = "| item | shows | state | by, or why |\n| --- | --- | --- | --- |\n"
    for item in source.items:
        by = "; ".join(filter(None, [item.get("note", ""), " ".join(map(link, item.get("claims", [])))]))
        out += f"| {item['item']} | {item['shows']} | {source.state(item)} | {by} |\n"
    return out + (f"\nClaims of running text: {', '.join(map(link, source.text))}.\n" if source.text else "")


def claim_cells(claim, row):
    why = row["why"] if row["holds"] == "no" else ""
    return f"{link(claim)}: {row['text']} | {row['paper']} | {row['here']} | {row['holds']} | {why}"


def figures(source):
    out = "| figure or table | state | claim | paper | here | holds | reason, or what there is |\n"
    out += "| --- | --- | --- | --- | --- | --- | --- |\n"
    for item in source.items:
        out += f"| **{item['item']}**: {item['shows']} | {source.state(item)} |  |  |  |  | {item.get('note', '')} |\n"
        for claim in item.get("claims", []):
            out += f"|  |  | {claim_cells(claim, source.claims[claim])} |\n"
    for claim in source.text:
        out += f"| section {source.claims[claim]['section']} |  | {claim_cells(claim, source.claims[claim])} |\n"
    return out


def summary(source):
    holds = [claim for claim, row in source.claims.items() if row["holds"] == "yes"]
    tested = [claim for claim, row in source.claims.items() if row["kind"] != "arithmetic"]
    of = [f"{len(source.claims)} claims, {len(holds)} hold",
          f"{len(source.sized)} with a size of the paper, {len(set(source.sized) & set(holds))} hold",
          f"{len(tested)} that are no arithmetic, {len(set(tested) & set(holds))} hold"]
    states = Counter(source.state(item) for item in source.items)
    of.append(f"{len(source.items)} figures and tables: "
              + ", ".join(f"{states[state]} {state}" for state in STATES if states[state]))
    return "".join(f"- {line}\n" for line in of)


def of_studies(names, sources):
    out = "| claim | paper | here | holds | why not |\n| --- | --- | --- | --- | --- |\n"
    for source in sources.values():
        for claim, row in source.claims.items():
            if source.studies(claim) & set(names):
                out += f"| {claim_cells(claim, row)} |\n"
    return out


def text_of(name, sources):
    kind, *words = name.split()
    if kind == "study":
        return of_studies(words, sources)
    if kind == "counts" and not words:
        return counts(sources)
    return {"items": items, "figures": figures, "summary": summary}[kind](sources[words[0]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, name the pages that differ")
    args = parser.parse_args()
    found = outcomes()
    sources = {stem: Source(stem, found) for stem in SOURCES}
    differ = []
    for path in sorted(RESULTS.glob("*.md")):
        page = path.read_text()
        new = BLOCK.sub(lambda block: block[1] + text_of(block[2], sources) + block[3], page)
        if new != page:
            differ.append(path.name)
            if not args.check:
                path.write_text(new)
    for name in differ:
        print(f"docs/results/{name}: {'differs' if args.check else 'written'}")
    return 1 if args.check and differ else 0


if __name__ == "__main__":
    sys.exit(main())
