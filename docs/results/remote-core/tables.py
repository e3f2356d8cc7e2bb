#!/usr/bin/env python3
"""Tables and picture of remote-core.md from the JSON of `l1forge explore`.

tables.py FIGURES.json [OUT.svg]: prints the tables; draws the misses that other cores serve as bars.
"""
import json
import pathlib
import sys

NAMES = {"ip27": "IP(27,1,1)", "ip15": "IP(15,2,0.2)", "ip5": "IP(5,2,0.5)", "rp27": "RP(27,1,1)",
         "rp5": "RP(5,2,0.5)"}
COLOURS = {"ip27": "#9ecae1", "ip15": "#2171b5", "ip5": "#08306b", "rp27": "#fdae6b", "rp5": "#d94801"}


def by_trace(path):
    table = {}
    for run in json.load(open(path))["runs"]:
        trace = pathlib.Path(run["trace"]).name.split(".")[0].removeprefix("rodinia_").removeprefix("parboil_")
        table.setdefault(trace.removeprefix("shoc_"), {})[pathlib.Path(run["configuration"]).stem] = run
    return table


def served(run):
    """Misses that other cores serve."""
    return share(run["remote"]["by_leader"] + run["remote"]["by_candidate"], run["remote"]["misses"])


def share(part, whole):
    return part / whole if whole else 0


def percents(values):
    return " | ".join(f"{100 * v:.1f}" for v in values)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def print_served(table):
    print("| trace | misses | shared | " + " | ".join(NAMES.values()) + " |")
    print("| --- |" + " ---: |" * (len(NAMES) + 2))
    for trace, runs in table.items():
        off = runs["off"]
        row = [off["miss_rate"], off["replication_ratio"]] + [served(runs[n]) for n in NAMES]
        print(f"| {trace} | {percents(row)} |")
    print(f"| mean | | | {percents(mean(served(r[n]) for r in table.values()) for n in NAMES)} |")


def print_prediction(table):
    kinds = ["rp5", "rp27"]
    print("\n| trace | " + " | ".join(f"{NAMES[k]} precision | recall | probes" for k in kinds) + " | filtered |")
    print("| --- |" + " ---: |" * 7)
    for trace, runs in table.items():
        cells = []
        for r in (runs[k]["remote"] for k in kinds):
            cells += [f"{100 * r['precision']:.1f}", f"{100 * r['recall']:.1f}", f"{r['probes_a_line']:.1f}"]
        rp5 = runs["rp5"]["remote"]
        print(f"| {trace} | {' | '.join(cells)} | {100 * share(rp5['filtered'], rp5['misses']):.1f} |")
    for what, chosen in {"mean": table, "mean where 30 % are shared": {
            t: r for t, r in table.items() if r["off"]["replication_ratio"] >= 0.3}}.items():
        cells = []
        for k in kinds:
            cells += [f"{100 * mean(r[k]['remote'][w] for r in chosen.values()):.1f}" for w in ("precision", "recall")]
            cells.append(f"{mean(r[k]['remote']['probes_a_line'] for r in chosen.values()):.1f}")
        print(f"| {what} | {' | '.join(cells)} | |")


def print_suppliers(table):
    print("\n| trace | able | " + " | ".join(NAMES.values()) + " |")
    print("| --- |" + " ---: |" * (len(NAMES) + 1))
    for trace, runs in table.items():
        able = runs["ip27"]["remote"]["ablest_core"]
        row = [able] + [runs[n]["remote"]["busiest_supplier"] for n in NAMES]
        print(f"| {trace} | " + " | ".join(f"{v:.2f}" if v else "-" for v in row) + " |")


def picture(table):
    width, height, left, top, bar = 74, 220, 44, 44, 11
    parts = []

    def text(x, y, words, anchor="middle"):
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="#222">{words}</text>')

    whole = left + width * len(table) + 8
    for step in range(0, 101, 20):
        y = top + height * (1 - step / 100)
        parts.append(f'<path d="M{left} {y:.1f}H{whole - 8}" stroke="#ddd"/>')
        text(left - 6, y + 4, step, "end")
    for n, (name, label) in enumerate(NAMES.items()):
        x = left + 130 * n
        parts.append(f'<rect x="{x}" y="14" width="11" height="11" fill="{COLOURS[name]}"/>')
        text(x + 16, 24, label, "start")
    for t, (trace, runs) in enumerate(table.items()):
        x = left + width * t + 8
        for n, name in enumerate(NAMES):
            high = height * served(runs[name])
            parts.append(f'<rect x="{x + bar * n}" y="{top + height - high:.1f}" width="{bar - 1}" '
                         f'height="{high:.1f}" fill="{COLOURS[name]}"/>')
        text(x + bar * len(NAMES) / 2, top + height + 16, trace.replace("_scalar", ""))
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {top + height + 28}" '
            f'font-family="sans-serif" font-size="11">\n<rect width="{whole}" height="{top + height + 28}" '
            f'fill="white"/>\n{body}\n</svg>\n')


def main():
    table = by_trace(sys.argv[1])
    print_served(table)
    print_prediction(table)
    print_suppliers(table)
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(picture(table))


main()
