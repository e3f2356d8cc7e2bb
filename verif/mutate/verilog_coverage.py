#!/usr/bin/env python3
"""Merges the coverage of generated Verilog over co-simulations, and names what none of them reached.

For each unit: l1forge cosim UNIT --verilog-coverage FOLDER/UNIT.dat
A unit of another shape also has its Verilog there: l1forge gen UNIT -s KEY=VALUE ... -o FOLDER/UNIT
Then: verif/mutate/verilog_coverage.py FOLDER          # status 1 where the list of exclusions is not exact
      verif/mutate/verilog_coverage.py FOLDER --page   # writes the table in docs/verification.md, too
"""
import argparse
import collections
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/verification.md"
BEGIN, END = "<!-- verilog coverage -->\n", "<!-- /verilog coverage -->\n"
EXCLUSIONS = ROOT / "verif/mutate/never_reached.txt"

Exclusion = collections.namedtuple("Exclusion", "file text reason where")


def points(data):
    """The points of one file of Verilator: (file, line, column, kind, what), and how often it was reached."""
    for entry in re.finditer(r"^C '(.*)' (\d+)$", data, re.MULTILINE):
        field = dict(pair.split("\2", 1) for pair in entry[1].split("\1") if pair)
        kind = field["page"].split("/")[0].removeprefix("v_")
        place = (field["f"], int(field["l"]), int(field["n"]), kind, field.get("o", ""))
        yield place, int(entry[2])


def own_names(folder, texts):
    """The names of a unit of another shape: its own where the text differs from the file of that name."""
    names = {}
    for path in sorted(folder.glob("*.v")):
        lines = path.read_text().splitlines()
        names[path.name] = path.name if texts.get(path.name) == lines else f"{folder.name}/{path.name}"
        texts[names[path.name]] = lines
    return names


def merged(folder, texts):
    counts, units = collections.Counter(), {}
    for data in sorted(folder.glob("*.dat")):
        names = own_names(data.with_suffix(""), texts)
        unit = collections.Counter()
        for (name, *place), count in points(data.read_text(errors="surrogateescape")):
            unit[names.get(name, name), *place] += count
        if not unit:
            sys.exit(f"{data}: has no counts; write it with l1forge cosim --verilog-coverage")
        counts.update(unit)
        units[data.stem] = unit
    if not units:
        sys.exit(f"{folder}: has no *.dat; write them with l1forge cosim --verilog-coverage")
    return counts, units


def exclusions(path):
    listed = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(" @ ")]
        if len(cells) != 3 or not all(cells):
            sys.exit(f"{path}:{number}: must be FILES @ LINE OF VERILOG @ REASON")
        listed.append(Exclusion(*cells, f"{path.name}:{number}"))
    return listed


def texts_of(verilog):
    """The lines of each file, from the folder of generated units."""
    found = {}
    for path in sorted(verilog.rglob("*.v")):
        found.setdefault(path.name, path.read_text().splitlines())
    return found


def lines_of(counts, lines):
    """(file, line) -> the fewest times of its points. The wrapper of a bench is no file of the unit."""
    least = {}
    for (name, line, _, kind, _), count in counts.items():
        if kind != "toggle" and name in lines:
            least[name, line] = min(count, least.get((name, line), count))
    return least


def toggles_of(counts, lines):
    return {place: count for place, count in counts.items() if place[3] == "toggle" and place[0] in lines}


def judged(least, lines, listed):
    """The lines that are neither reached nor excluded, and the exclusions that are not exact."""
    matches = collections.defaultdict(list)
    left, excluded = [], 0
    for (name, line), count in sorted(least.items()):
        text = lines[name][line - 1].strip()
        by = [e for e in listed if fnmatch.fnmatch(name.rpartition("/")[2], e.file) and e.text == text]
        for e in by:
            matches[e].append((name, line, count))
        if count == 0:
            excluded += bool(by)
            if not by:
                left.append(f"{name}:{line}: never reached: {text}")
    wrong = []
    for e in listed:
        if not matches[e]:
            wrong.append(f"{e.where}: no line of {e.file} reads '{e.text}'")
        wrong += [f"{e.where}: {name}:{line} is reached {count} times"
                  for name, line, count in matches[e] if count]
    return left, excluded, wrong


def share(reached, of):
    return f"{100 * reached / of:.1f} %" if of else "-"


def row(*cells):
    return "| " + " | ".join(str(c) for c in cells) + " |\n"


def table(units, lines):
    text = row("unit", "lines", "reached", "net bits", "toggled") + row(*["---"] * 5)
    for unit, counts in units.items():
        least, toggles = lines_of(counts, lines), toggles_of(counts, lines)
        text += row(f"`{unit}`", len(least), share(sum(map(bool, least.values())), len(least)), len(toggles),
                    share(sum(map(bool, toggles.values())), len(toggles)))
    return text


def still(toggles):
    """File by file, the nets with bits that never change."""
    nets = collections.defaultdict(lambda: collections.defaultdict(list))
    for (name, _, _, _, what), count in sorted(toggles.items()):
        if count == 0:
            nets[name][what.split("[")[0]].append(what)
    return nets


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--page", action="store_true", help="write the table in docs/verification.md")
    parser.add_argument("--toggles", action="store_true", help="name the nets that never change, too")
    parser.add_argument("--verilog", type=pathlib.Path, default=ROOT / "rtl-out", help="the units' Verilog")
    parser.add_argument("--exclusions", type=pathlib.Path, default=EXCLUSIONS)
    arguments = parser.parse_args()
    texts = texts_of(arguments.verilog)
    counts, units = merged(arguments.folder, texts)
    reported = {place[0] for place in counts}
    lines = {name: text for name, text in texts.items() if name in reported}
    least, toggles = lines_of(counts, lines), toggles_of(counts, lines)
    left, excluded, wrong = judged(least, lines, exclusions(arguments.exclusions))
    reached = sum(map(bool, least.values()))
    toggled = sum(map(bool, toggles.values()))
    summary = (f"{len(units)} units, {len(lines)} modules: {reached} of {len(least)} lines reached, "
               f"{excluded} excluded, {len(left)} left; "
               f"{toggled} of {len(toggles)} net bits changed ({share(toggled, len(toggles))})")
    print(summary)
    for message in left + wrong:
        print(message)
    if arguments.toggles:
        for name, nets in still(toggles).items():
            print(name + ": never changed: " + ", ".join(
                f"{net} ({len(bits)} bits)" if len(bits) > 1 else bits[0] for net, bits in nets.items()))
    if arguments.page:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + table(units, lines) + "\n" + summary + ".\n" + END + rest.split(END)[1])
    sys.exit(1 if left or wrong else 0)


if __name__ == "__main__":
    main()
