"""Counts the words of sentences in Markdown pages and comments, and words that the field does not use.

    python3 verif/repo/words.py                  # every page: sentences, mean, longest, old words
    python3 verif/repo/words.py -v docs/area.md  # also each old word and the longest sentences
    python3 verif/repo/words.py --check          # status 1 if a page or a comment breaks a rule
    python3 verif/repo/words.py hw golden        # the comments of these folders, a row for each folder

Old words are looked for in prose, tables and headings, and as parts of the identifiers of code: pinned keys,
ports and names of JSON keep theirs. Sentences are counted in prose alone.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEAN_LIMIT = 20
LONGEST_LIMIT = 40

CODE = {".cpp", ".h", ".v", ".py"}

# The folders whose comments --check reads: they hold no old word.
SOURCES = ["hw", "gen", "golden", "cosim", "verif", "rtl-out"]

# Old words stand in these.
LISTS = {"words.py", "words_test.cpp"}

# The pages that --check leaves out: a changelog keeps its old lines.
HISTORY = ["docs/changelog.md"]

# (old word, pattern, exceptions): ordinary English, terms of the papers and names of ports are exceptions.
OLD_WORDS = [
    ("books of a run", r"\bbooks?\b", r""),
    ("planted fault", r"\bplant(s|ed|er|ing)?\b", r""),
    ("hunt", r"\bhunt(s|ed|er|ing)?\b", r""),
    ("must_see", r"\bmust[-_ ]see\b", r""),
    ("twin", r"\btwins?\b", r""),
    ("room", r"\brooms?\b", r""),
    ("tell", r"\b(tells?|telling|told)\b", r""),
    ("hear", r"\b(hears?|heard|hearing)\b", r""),
    ("surroundings", r"\b(surroundings|worlds?|scenes?)\b", r""),
    ("verdict", r"\bverdicts?\b", r""),
    ("probe stage", r"\bprobe[- ](stage|event)s?\b", r""),
    ("place", r"\bplaces?\b", r"\b(in (the )?|(takes?|taken|took|taking) (the )?)places?\b"
                              r"|\bplaces? of (a )?chunks?\b|\bplaces pages\b"),
    ("waiter", r"\bwaiters?\b", r""),
    ("has_place", r"\bhas_(place|room)\b", r""),
    ("doomed", r"\bdoom(s|ed|ing)?\b", r"\bcounter doomed\b"),
    ("peek", r"\bpeek(s|ed|ing)?\b", r"\b5 peek\b|\brequest's peek\b"),
    ("leftover", r"\bleftovers?\b|\belsewhere lines?\b", r""),
    ("anew", r"\banew\b", r""),
    ("spared", r"\bspared\b|\bpasses_by\b", r""),
    ("vacate", r"\b(vacate[sd]?|vacating)\b", r""),
    ("land", r"\bland(s|ed|ing)?\b", r""),
    ("held up", r"\bheld up\b|\bhold(s|ing)? up\b", r""),
    ("turn", r"\b(take|takes|taking) turns\b|\b(its|their|a) turns?\b", r""),
    ("set aside", r"\bsets? aside\b", r""),
    ("payload_free", r"\bpayload_free\b", r""),
    ("taker", r"\btakers?\b", r""),
    ("un-coalesced degree", r"\bun-coalesced degree\b|\bdegree of un-coalescing\b", r""),
    ("harvest", r"\bharvest(s|ed|ing)?\b", r""),
    ("course", r"\bcourses?\b", r"\bof course\b"),
    ("excerpt", r"\bexcerpts?\b", r""),
    ("own store", r"\bown[- ](store|line)s?\b", r""),
    ("orders of lines", r"\borders? of lines\b", r""),
    ("plain forms", r"\bplain forms?\b", r""),
    ("asked for", r"\basked for\b", r""),
    ("fails not", r"\b(fails|waits|needs|holds|changes|goes|comes|reaches) not\b", r""),
    ("as ever", r"\bas ever\b", r""),
    ("likewise", r"\blikewise\b", r""),
    ("those that", r"\bthose (that|who|which)\b", r""),
    ("that which", r"\bthat which\b", r""),
    ("what becomes of", r"\bwhat (becomes|became|comes|came) of\b", r""),
    ("whoever", r"\b(who|what|which)ever\b", r""),
]
OLD_WORDS = [(word, re.compile(pattern, re.I), re.compile(exception, re.I) if exception else None)
             for word, pattern, exception in OLD_WORDS]

ANY_OLD_WORD = re.compile("|".join(f"(?:{pattern.pattern})" for _, pattern, _ in OLD_WORDS), re.I)

# Parts of identifiers, and the names that keep one: a pinned key, a counter of the pinned list, and what a
# result's JSON has.
OLD_PARTS = set("books planted hunt hunts room rooms verdict verdicts waiter waiters doomed doom peek peeks peeked "
                "leftover leftovers anew vacate vacates vacated scene scenes surroundings course taker takers "
                "hear hears heard spared told harvest excerpt".split())
KEPT = {"prefer_leftover_victims", "doomed", "event_doomed", "event_doomed_q"}
KEPT_KEYS = re.compile(r"\bcore\.peeks\b")

SENTENCE = re.compile(r'"(\\.|[^"\\])* (\\.|[^"\\])*"')
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# A point after these ends no sentence.
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|vs|etc|cf|al|no|Fig|Sec)\.$", re.I)


def without_code(text):
    """Drops fenced code, comments and pictures; inline code and addresses become one word."""
    text = re.sub(r"^(```|~~~).*?^\1[^\n]*$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)|</?[a-z]+[^>\n]*>", "", text, flags=re.S)
    text = re.sub(r"(`+)[^`].*?\1", "code", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"https?://\S+", "address", text)


def paragraphs(text):
    """The prose: each paragraph and list item in one line, without tables and headings."""
    block = []
    for line in [*without_code(text).splitlines(), ""]:
        heading_or_table = re.match(r"\s*(#|\||---+\s*$)", line)
        item = re.match(r"\s*([-*+]|\d+\.)\s+", line)
        if block and (not line.strip() or heading_or_table or item):
            yield " ".join(block)
            block = []
        if line.strip() and not heading_or_table:
            block.append(line[item.end():].strip() if item else line.strip())


def words_of(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def sentences(text):
    """Sentences of the prose: a list item without a point is one, a bold label in front is none."""
    for paragraph in paragraphs(text):
        paragraph = re.sub(r"^\*\*[^*]+\*\*[.:]?(?= )", "", paragraph)
        sentence = []
        for word in paragraph.replace("*", "").split():
            sentence.append(word)
            if re.search(r"[.!?][\")\]]*$", word) and not ABBREVIATION.search(word):
                yield " ".join(sentence)
                sentence = []
        if sentence:
            yield " ".join(sentence)


def old_words(text):
    """(line, old word, the text around it) of each old word."""
    fence = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"```|~~~", line):
            fence = not fence
        if fence or not ANY_OLD_WORD.search(line):
            continue
        plain = without_code(line)
        for word, pattern, exception in OLD_WORDS:
            allowed = [match.span() for match in exception.finditer(plain)] if exception else []
            for match in pattern.finditer(plain):
                if not any(first <= match.start() and match.end() <= last for first, last in allowed):
                    around = plain[max(0, match.start() - 30):match.end() + 30].strip()
                    yield number, word, around


def old_identifiers(code):
    """(line, old word, the identifier) of each identifier of code that has an old word."""
    for number, line in enumerate(code.splitlines(), 1):
        plain = re.sub(r"//.*", "", SENTENCE.sub("", KEPT_KEYS.sub("", line)))
        for name in IDENTIFIER.findall(plain):
            for part in PART.findall(name) if name not in KEPT else []:
                if part.lower() in OLD_PARTS:
                    yield number, part.lower(), name


def mean(lengths):
    return sum(lengths) / len(lengths) if lengths else 0.0


def row(lengths, old, name):
    return f"{len(lengths):9} {mean(lengths):6.1f} {max(lengths, default=0):8} {old:10}  {name}"


def comments(code):
    """Comments of C++, Verilog or Python, each on its line; one behind code is an item of its own."""
    matches = (re.match(r"(\s*|.*\s)(?://+|#) (.*)", line) for line in code.splitlines())
    return "\n".join(("- " if match[1].strip() else "") + match[2] if match else "" for match in matches)


def prose_of(path):
    """The text of a page, or the comments of a file of code or of all those in a folder."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.suffix in CODE)
        return "\n\n".join(prose_of(file) for file in files)
    text = path.read_text(encoding="utf-8")
    return comments(text) if path.suffix in CODE else text


def old_words_of_sources():
    """A complaint for each old word in a comment or an identifier of the sources."""
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in CODE and path.name not in LISTS:
                for number, word, around in old_words_of(path):
                    yield f"{path.relative_to(ROOT)}:{number}: old word '{word}': {around}"


def old_words_of(path):
    """Old words of a page, or of the comments and identifiers of code."""
    files = [file for file in sorted(path.rglob("*")) if file.suffix in CODE] if path.is_dir() else [path]
    for file in files:
        yield from old_words(prose_of(file))
        if file.suffix in CODE:
            yield from old_identifiers(file.read_text(encoding="utf-8"))


class Page:
    def __init__(self, path):
        full = path.resolve()
        self.name = str(full.relative_to(ROOT) if full.is_relative_to(ROOT) else path)
        text = prose_of(path)
        self.sentences = sorted(sentences(text), key=lambda s: -len(words_of(s)))
        self.lengths = [len(words_of(sentence)) for sentence in self.sentences]
        self.old = list(old_words_of(path))

    def complaints(self):
        if mean(self.lengths) > MEAN_LIMIT:
            yield f"{self.name}: {mean(self.lengths):.1f} words a sentence, at most {MEAN_LIMIT}"
        for sentence, length in zip(self.sentences, self.lengths):
            if length > LONGEST_LIMIT:
                yield f"{self.name}: {length} words, at most {LONGEST_LIMIT}: {sentence}"
        for number, word, around in self.old:
            yield f"{self.name}:{number}: old word '{word}': {around}"


def every_page():
    folders = [ROOT / "docs", ROOT / "verif"]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md",
            *sorted(page for folder in folders for page in folder.rglob("*.md"))]


def arguments():
    parser = argparse.ArgumentParser(description="Counts sentences and old words of Markdown pages.")
    parser.add_argument("pages", nargs="*", type=Path,
                        help="pages, or files and folders of code; default: every page")
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 if a page, or a comment of the sources, breaks a rule")
    parser.add_argument("-v", "--verbose", action="store_true", help="print old words and longest sentences")
    return parser.parse_args()


def main():
    args = arguments()
    paths = args.pages or [page for page in every_page()
                           if not (args.check and str(page.relative_to(ROOT)) in HISTORY)]
    missing = [path for path in paths if not path.exists()]
    if missing:
        print(f"words.py: no such file: {missing[0]}", file=sys.stderr)
        return 2
    pages = [Page(path) for path in paths]
    if args.check:
        complaints = [complaint for page in pages for complaint in page.complaints()]
        if not args.pages:
            complaints += old_words_of_sources()
        print("\n".join(complaints) or f"{len(pages)} pages hold the rules")
        return 1 if complaints else 0
    print("sentences   mean  longest  old words  page")
    for page in pages:
        print(row(page.lengths, len(page.old), page.name))
        if args.verbose:
            for number, word, around in page.old:
                print(f"    {number}: {word}: {around}")
            for sentence in page.sentences[:5]:
                print(f"    {len(words_of(sentence))} words: {sentence}")
    lengths = [length for page in pages for length in page.lengths]
    if len(pages) > 1:
        print(row(lengths, sum(len(page.old) for page in pages), "all"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
