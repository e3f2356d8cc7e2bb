#!/usr/bin/env python3
"""The tables "With time" of remote-core.md from the JSON of `l1forge explore --timed`, and with a second argument
the CSV of the claims: timed_table.py FIGURES.json [FIGURES.csv]"""
import csv
import json
import math
import pathlib
import sys

SCHEMES = {"rp5": "RP(5,2,0.5)", "rp27": "RP(27,1,1)", "ip5": "IP(5,2,0.5)", "ip15": "IP(15,2,0.2)",
           "ip27": "IP(27,1,1)"}

# More than 30 % of their misses, untimed and whole, are to lines of other cores.
SHARING = ("2dconv", "bfs", "btree", "gemm", "histo", "srad")

COUNTED = {"searches": "searches", "late": "timed_out", "busiest": "busiest_supplier", "able": "ablest_core"}


def percent(part, whole):
    return f"{100 * part / whole if whole else 0:.1f}"


def served(run):
    remote = run["remote"]
    return percent(remote["by_leader"] + remote["by_candidate"], remote["misses"])


def late(run):
    return percent(run["remote"]["timed_out"], run["remote"]["searches"])


def runs_of(path):
    runs = {}
    for run in json.load(open(path))["runs"]:
        excerpt = pathlib.Path(run["trace"]).name.split(".")[0]
        runs.setdefault(excerpt, {})[pathlib.Path(run["configuration"]).stem] = run
    return sorted(runs.items())


def schemes_of(runs):
    return [s for s in SCHEMES if all(s in by for _, by in runs)]


def speed(by, scheme):
    return by["off"]["cycles"] / by[scheme]["cycles"]


def print_means(runs, schemes, name, kernels, columns):
    chosen = [by for excerpt, by in runs if excerpt in kernels]
    means = [math.exp(sum(math.log(speed(by, s)) for by in chosen) / len(chosen)) for s in schemes]
    print(f"| {name} | | {' | '.join(f'{m:.2f}' for m in means)} |" + " |" * columns)


def print_table(runs, schemes):
    late_of = [s for s in schemes if s != "ip5"]
    heads = [*(SCHEMES[s] for s in schemes), "", "served % RP5", "IP15", ""]
    heads += [("late % " if not i else "") + s.upper() for i, s in enumerate(late_of)]
    heads += ["", "deflected, RP5", "dropped %"]
    print(f"| excerpt | cycles, nobody searched | {' | '.join(heads)} |".replace("|  |", "| |"))
    print("| --- | ---: |" + "".join(" ---: |" if h else " --- |" for h in heads))
    for excerpt, by in runs:
        r = by["rp5"]["remote"]
        cells = [f"{by['off']['cycles']:,}".replace(",", " ")] + [f"{speed(by, s):.2f}" for s in schemes]
        cells += ["", served(by["rp5"]), served(by["ip15"]), "", *(late(by[s]) for s in late_of), ""]
        cells += [f"{r['deflected'] / r['probes'] if r['probes'] else 0:.2f}", percent(r["dropped"], r["probes"])]
        print(f"| {excerpt} | {' | '.join(cells)} |".replace("|  |", "| |"))
    kernels = [excerpt for excerpt, _ in runs]
    left = len(heads) - len(schemes)
    print_means(runs, schemes, "geometric mean", kernels, left)
    print_means(runs, schemes, "of those that share", SHARING, left)
    print_means(runs, schemes, "of the others", [k for k in kernels if k not in SHARING], left)


def print_suppliers(runs, schemes):
    names = " | ".join(SCHEMES[s] for s in schemes)
    print(f"\n| excerpt | {names} | | able, {names} |")
    print("| --- |" + " ---: |" * len(schemes) + " --- |" + " ---: |" * len(schemes))
    for excerpt, by in runs:
        if excerpt in SHARING:
            cells = [[f"{by[s]['remote'][of]:.2f}" if by[s]["remote"][of] else "-" for s in schemes]
                     for of in ("busiest_supplier", "ablest_core")]
            print(f"| {excerpt} | {' | '.join(cells[0])} | | {' | '.join(cells[1])} |")


def write_csv(runs, schemes, path):
    with open(path, "w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["kernel", "off", *schemes, *(f"{name}_{s}" for name in COUNTED for s in schemes)])
        for excerpt, by in runs:
            table.writerow([excerpt, *(by[s]["cycles"] for s in ("off", *schemes)),
                            *(round(by[s]["remote"][of], 2) for of in COUNTED.values() for s in schemes)])


def main(path, csv_path=None):
    runs = runs_of(path)
    schemes = schemes_of(runs)
    print_table(runs, schemes)
    print_suppliers(runs, schemes)
    if csv_path:
        write_csv(runs, schemes, csv_path)


main(*sys.argv[1:])
