"""Checks the claims of docs/claims: each quotes its paper, and with a folder of texts the paper says so.

usage: quotes.py [--claims DIR] [--papers DIR]

Without texts: every claim has `words` and states `kind` and `sized`; an `experiment` is a table of a study.
With --papers DIR, a folder of the papers as text, the words are looked for in the text that has most
quotes of the claims' file. Blanks, hyphens, line breaks and the marks of Markdown and LaTeX do not count;
" ... " stands for what is left out.
Exit status 1 names each claim that fails.
"""
import argparse
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FARTHEST = 400  # characters that " ... " leaves out


def plain(text):
    """The text without what differs between a paper's print and its extraction."""
    text = re.sub(r"\\times|\\cdot", "×", text)
    text = re.sub(r"</?\w+>|\\text|\\frac|\\lt|[\s*$_{}\\-]|\u00ad", "", text)
    return text.replace("‐", "").replace("“", '"').replace("”", '"').replace("’", "'")


def says(text, words):
    """Whether a plain text has the words, with their parts in this order and near each other."""
    first, *others = [plain(part) for part in words.split(" ... ")]
    at = text.find(first)
    while at >= 0:
        end = at + len(first)
        for part in others:
            found = text.find(part, end, end + FARTHEST + len(part))
            end = found + len(part) if found >= 0 else -1
            if end < 0:
                break
        if end >= 0:
            return True
        at = text.find(first, at + 1)
    return False


def has_table(studies, experiment):
    """Whether STUDY/TABLE is in the folder of studies."""
    study, _, table = experiment.partition("/")
    file = studies / f"{study}.toml"
    return file.is_file() and table in tomllib.loads(file.read_text()).get("table", {})


def faults_of(name, claims, studies):
    """What the claims of a file do not state, or state of what is not there."""
    for claim, keys in claims.items():
        words = keys.get("words", "")
        if "experiment" in keys and not has_table(studies, keys["experiment"]):
            yield f"{name}: claim.{claim}: no study has the table {keys['experiment']}"
        if not plain(words):
            yield f"{name}: claim.{claim}: has no words of the paper"
        for key in ("kind", "sized"):
            if key not in keys:
                yield f"{name}: claim.{claim}: does not state {key}"


def misquotes_of(name, claims, texts):
    """The claims whose words are not in their paper."""
    said = {path: [c for c, keys in claims.items() if says(text, keys.get("words", ""))]
            for path, text in texts.items()}
    paper = max(said, key=lambda path: len(said[path]))
    for claim in claims:
        if claim not in said[paper]:
            yield f"{name}: claim.{claim}: {paper.name} does not say \"{claims[claim].get('words', '')}\""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=pathlib.Path, default=ROOT / "docs/claims", help="folder of claims")
    parser.add_argument("--papers", type=pathlib.Path, help="folder of the papers' texts, *.txt")
    args = parser.parse_args()
    texts = {path: plain(path.read_text()) for path in sorted(args.papers.glob("*.txt"))} if args.papers else {}
    if args.papers and not texts:
        parser.error(f"{args.papers}: has no *.txt")
    files = sorted(args.claims.glob("*.toml"))
    if not files:
        parser.error(f"{args.claims}: has no *.toml")
    faults, count = [], 0
    for file in files:
        claims = tomllib.loads(file.read_text()).get("claim", {})
        count += len(claims)
        faults += faults_of(file.name, claims, args.claims.parent / "studies")
        if texts:
            faults += misquotes_of(file.name, claims, texts)
    for fault in faults:
        print(fault)
    found = f", {count - len(faults)} found in {len(texts)} texts" if texts else ""
    print(f"{count} claims quote their papers{found}" if not faults else f"{len(faults)} of {count} claims fail")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
