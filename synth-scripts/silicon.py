#!/usr/bin/env python3
"""Tables of presets in technologies and FPGA families, as in docs/area.md.

    synth-scripts/silicon.py RESULTS PRESET... --tech FILE.toml... [--fpga FAMILY...] [--place FAMILY...]

A preset may carry settings: "coalescer -s coalescer.lanes=8". Each figure is one run of `l1forge area`, whose JSON
stays in the folder RESULTS: a run that is there is not made again, so that a call that was interrupted goes on.
Nothing else of the folder is read.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent


def measured(folder, preset, name, options, only_table):
    """The JSON of one run; None where it fails or is not there."""
    stem = re.sub(r"[^\w.=-]+", "_", preset)
    file = folder / f"{stem}.{name}.json"
    if not file.exists() and not only_table:
        part = folder / f"{stem}.{name}.part"
        call = [root / "forge", "area", *shlex.split(preset), "--json", part, *options]
        done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(f"{preset} {name}: {done.stderr.strip()}", file=sys.stderr)
            return None
        part.rename(file)
    return json.loads(file.read_text()) if file.exists() else None


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def silicon_cells(result):
    """Logic, macros and all in um2, kGE, ns."""
    if result is None:
        return ["not run"] + ["-"] * 4
    unit = result["units"][0]
    logic = result.get("logic_um2", unit["area_um2"]["median"])
    macros = result.get("macro_um2", 0)
    return [
        figure(logic),
        figure(macros) if macros else "-",
        figure(logic + macros),
        f"{unit['gate_equivalents']['median'] / 1000:.2f}",
        f"{unit['longest_path_ns']['median']:.2f}",
    ]


def placed_cells(result):
    """MHz of the seeds, kinds of cells that are logic, flip-flops or RAMs with their number."""
    if result is None:
        return ["not run", "-"]
    mhz, cells = result["placed"]["mhz"], result["placed"]["used_cells"]
    kinds = ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "ICESTORM_LC", "ICESTORM_RAM")
    counts = " / ".join(f"{cells[k]['used']:,}" for k in kinds if k in cells)
    return [f"{mhz['median']:.0f} ({mhz['min']:.0f} to {mhz['max']:.0f})", counts]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join("---" for _ in head) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("presets", nargs="+")
    parser.add_argument("--tech", nargs="*", default=[])
    parser.add_argument("--fpga", nargs="*", default=[])
    parser.add_argument("--place", nargs="*", default=[])
    parser.add_argument("--seeds", default="3", help="of each placement")
    parser.add_argument("--only-table", action="store_true", help="run nothing")
    flags = parser.parse_args()
    flags.results.mkdir(parents=True, exist_ok=True)

    technologies = [] if flags.place else [("osu018", [])]
    technologies += [(pathlib.Path(t).stem, ["--tech", t]) for t in flags.tech]
    for name, options in technologies:
        rows = [
            [f"`{p}`", *silicon_cells(measured(flags.results, p, name, ["--alone", *options], flags.only_table))]
            for p in flags.presets
        ]
        print(f"### {name}\n")
        table(["unit", "logic, um2", "macros, um2", "in all, um2", "kGE", "ns"], rows)
    for family in flags.place:
        options = ["--fpga", family, "--place", "--orders", flags.seeds]
        rows = [
            [f"`{p}`", *placed_cells(measured(flags.results, p, f"{family}-placed", options, flags.only_table))]
            for p in flags.presets
        ]
        print(f"### {family}, placed\n")
        table(["unit", "MHz", "cells: logic / flip-flops / block RAMs"], rows)
    if not flags.fpga:
        return
    rows = []
    for preset in flags.presets:
        row = [f"`{preset}`"]
        for family in flags.fpga:
            r = measured(flags.results, preset, family, ["--fpga", family], flags.only_table)
            keys = ("luts", "flip_flops", "carries", "block_rams", "distributed_rams")
            row.append("not run" if r is None else " / ".join(f"{r[k]:,}" for k in keys))
        rows.append(row)
    table(["LUTs / flip-flops / carries / block RAMs / distributed RAMs", *flags.fpga], rows)


main()
