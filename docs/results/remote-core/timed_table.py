#!/usr/bin/env python3
"""The table "With time" of remote-core.md from the JSON of `l1forge explore --timed`: timed_table.py FIGURES.json"""
import json
import math
import pathlib
import sys

SCHEMES = {"rp5": "RP(5,2,0.5)", "rp27": "RP(27,1,1)", "ip5": "IP(5,2,0.5)", "ip15": "IP(15,2,0.2)",
           "ip27": "IP(27,1,1)"}


def percent(part, whole):
    return f"{100 * part / whole if whole else 0:.1f}"


def served(run):
    remote = run["remote"]
    return percent(remote["by_leader"] + remote["by_candidate"], remote["misses"])


def late(run):
    return percent(run["remote"]["timed_out"], run["remote"]["searches"])


def main(path):
    runs = {}
    for run in json.load(open(path))["runs"]:
        excerpt = pathlib.Path(run["trace"]).name.split(".")[0]
        runs.setdefault(excerpt, {})[pathlib.Path(run["configuration"]).stem] = run
    print("| excerpt | cycles, nobody searched | " + " | ".join(SCHEMES.values()) +
          " | | served % RP5 | IP15 | | late % RP5 | RP27 | IP15 | IP27 | | deflected, RP5 | dropped % |")
    print("| --- |" + " ---: |" * 6 + " --- |" + " ---: |" * 2 + " --- |" + " ---: |" * 4 + " --- |" + " ---: |" * 2)
    speeds = {s: [] for s in SCHEMES}
    for excerpt, by in sorted(runs.items()):
        for s in SCHEMES:
            speeds[s].append(by["off"]["cycles"] / by[s]["cycles"])
        r = by["rp5"]["remote"]
        cells = [f"{by['off']['cycles']:,}".replace(",", " ")] + [f"{speeds[s][-1]:.2f}" for s in SCHEMES]
        cells += ["", served(by["rp5"]), served(by["ip15"]), ""]
        cells += [late(by[s]) for s in ("rp5", "rp27", "ip15", "ip27")] + [""]
        cells += [f"{r['deflected'] / r['probes'] if r['probes'] else 0:.2f}", percent(r["dropped"], r["probes"])]
        print(f"| {excerpt} | {' | '.join(cells)} |")
    means = [f"{math.exp(sum(map(math.log, v)) / len(v)):.2f}" for v in speeds.values()]
    print(f"| geometric mean | | {' | '.join(means)} |" + " |" * 10)


main(sys.argv[1])
