#!/usr/bin/env python3
"""Every preset in technologies and FPGA families: the tables of docs/results/silicon.md.

    synth-scripts/silicon.py RESULTS [PRESET...] --tech FILE.toml... [--fpga FAMILY...] [--page FILE.md]
    synth-scripts/silicon.py RESULTS PRESET... --place FAMILY...

Without presets those of area.csv and the topologies are measured: topologies with two or four cores, a butterfly of
four ports. A preset may carry settings: "coalescer -s coalescer.lanes=8". Each figure is one run of `l1forge area`.
Its JSON stays in the folder RESULTS: a run that is there is not made again, so that a call that was interrupted goes
on. Nothing else of the folder is read.
--page writes the tables between the marks of a page, else they are printed. Units without a result in the folder keep
their rows there.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# `area` reports a topology by the parts of it: crossbars, routers, cores, nodes, slices.
TOPOLOGIES = ("dc_l1", "shared_l1", "remote_core")
FPGA_KINDS = {"luts": "LUTs", "flip_flops": "flip-flops", "carries": "carry cells", "block_rams": "block RAMs",
              "distributed_rams": "distributed RAMs"}


class Runs:
    """The JSON of each run, made where it is missing."""

    def __init__(self, folder, only_table, program):
        self.folder, self.only_table, self.program = folder, only_table, program
        self.small = small_settings(program)

    def of(self, preset, name, options):
        """None where the run fails or is not there."""
        stem = re.sub(r"[^\w.=-]+", "_", preset)
        file = self.folder / f"{stem}.{name}.json"
        if not file.exists() and not self.only_table:
            part = self.folder / f"{stem}.{name}.part"
            small = [word for setting in self.small.get(preset, []) for word in ("-s", setting)]
            call = [self.program, "area", *shlex.split(preset), *small, "--json", part, *options]
            begun = time.time()
            done = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            state = "done" if done.returncode == 0 else done.stderr.strip()
            print(f"{preset}, {name}: {state}, {time.time() - begun:.0f} s", file=sys.stderr, flush=True)
            if done.returncode != 0:
                return None
            part.rename(file)
        return json.loads(file.read_text()) if file.exists() else None


def figure(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def parts_sum(topology):
    """Gate equivalents of all parts, each as often as it is there."""
    networks = topology["topology"]["gate_equivalents"]["sum"]
    return networks + sum(part["count"] * part["gate_equivalents"] for part in topology["parts"])


def areas(result):
    """um2 of logic, of macros."""
    if "topology" in result:
        return parts_sum(result) * result["nand2_um2"], 0
    return result.get("logic_um2", result["units"][0]["area_um2"]["median"]), result.get("macro_um2", 0)


def area_cell(result):
    logic, macros = areas(result)
    return figure(logic) + (f" + {figure(macros)} = {figure(logic + macros)}" if macros else "")


def gates_cell(result):
    gates = parts_sum(result) if "topology" in result else result["units"][0]["gate_equivalents"]["median"]
    return figure(gates / 1000)


def path_cell(result):
    if "topology" in result:
        return f"{max(part['path_ns'] for part in result['parts']):.2f}"
    return f"{result['units'][0]['longest_path_ns']['median']:.2f}"


def placed_cells(result):
    """MHz of the seeds, kinds of cells that are logic, flip-flops or RAMs with their number."""
    if result is None:
        return ["not run", "-"]
    mhz, cells = result["placed"]["mhz"], result["placed"]["used_cells"]
    kinds = ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "ICESTORM_LC", "ICESTORM_RAM")
    counts = " / ".join(f"{cells[k]['used']:,}" for k in kinds if k in cells)
    return [f"{mhz['median']:.0f} ({mhz['min']:.0f} to {mhz['max']:.0f})", counts]


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def unit_name(preset, runs):
    return f"`{preset}`" + (" (small)" if preset in runs.small else "")


def table_of(runs, presets, kind, columns, cell, jobs):
    """Name of the table, its head, its rows by unit."""
    def results_of(preset):
        return [runs.of(preset, name, options(preset)) for name, options in columns]

    rows = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        measured = list(pool.map(results_of, presets))
    for preset, results in zip(presets, measured):
        if any(results):
            rows[preset] = [unit_name(preset, runs), *(cell(r) if r else "not run" for r in results)]
    return kind, ["unit", *(name for name, _ in columns)], rows


def fpga_cell(result):
    return " / ".join(f"{result[kind]:,}" for kind in FPGA_KINDS)


def write_page(page, tables, order):
    text = page.read_text()
    for kind, head, rows in tables:
        mark, end = f"<!-- silicon {kind} -->\n", "<!-- /silicon -->\n"
        if mark not in text:
            sys.exit(f"{page} has no line '{mark.strip()}'")
        before, rest = text.split(mark, 1)
        old, after = rest.split(end, 1)
        kept = {}
        for line in old.splitlines()[2:]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            kept[cells[0].split("`")[1]] = cells
        if old and [cell.strip() for cell in old.splitlines()[0].strip("|").split("|")] != head:
            kept = {}  # of other technologies
        kept.update(rows)
        units = [unit for unit in order if unit in kept] + sorted(set(kept) - set(order))
        text = before + mark + table(head, [kept[unit] for unit in units]) + end + after
    draft = page.with_name(page.name + ".new")
    draft.write_text(text)
    os.replace(draft, page)


def whole(preset):
    return ["--parts", "1"] if preset in TOPOLOGIES else ["--alone"]


def all_presets():
    """In the order of the catalogue; topologies, which have no row there, last."""
    with (ROOT / "synth-scripts/area.csv").open() as file:
        measured = [row["preset"] for row in csv.DictReader(file)]
    return [*measured, *(preset for preset in TOPOLOGIES if preset not in measured)]


def small_settings(program):
    """By preset: the papers' sizes of these have millions of flip-flops, and the small ones each of their modules."""
    listed = subprocess.run([program, "list", "--json", "-"], stdout=subprocess.PIPE, check=True).stdout
    return {unit["preset"]: unit["small"] for unit in json.loads(listed)["units"] if "small" in unit}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("presets", nargs="*")
    parser.add_argument("--tech", nargs="*", default=[], help="files that describe technologies, beside osu018")
    parser.add_argument("--fpga", nargs="*", default=[])
    parser.add_argument("--place", nargs="*", default=[], help="FPGA families: the clock behind placement and routing")
    parser.add_argument("--seeds", default="3", help="of each placement")
    parser.add_argument("--page", type=pathlib.Path, help="the page whose tables are written")
    parser.add_argument("--program", default=ROOT / "forge", help="another l1forge than that of this clone")
    parser.add_argument("--jobs", type=int, default=1, help="units that are measured at once; default: 1")
    parser.add_argument("--only-table", action="store_true", help="run nothing")
    flags = parser.parse_args()
    flags.results.mkdir(parents=True, exist_ok=True)
    runs = Runs(flags.results, flags.only_table, flags.program)
    presets = flags.presets or all_presets()

    tables = []
    if not flags.place:
        columns = [("osu018", whole)]
        columns += [(pathlib.Path(t).stem, lambda preset, t=t: [*whole(preset), "--tech", t]) for t in flags.tech]
        for kind, cell in (("areas", area_cell), ("gates", gates_cell), ("paths", path_cell)):
            tables.append(table_of(runs, presets, kind, columns, cell, flags.jobs))
    if flags.fpga:
        columns = [(family, lambda _, family=family: ["--fpga", family]) for family in flags.fpga]
        tables.append(table_of(runs, [p for p in presets if p not in TOPOLOGIES], "fpga", columns, fpga_cell,
                               flags.jobs))
    for family in flags.place:
        options = ["--fpga", family, "--place", "--orders", flags.seeds]
        rows = {p: [unit_name(p, runs), *placed_cells(runs.of(p, f"{family}-placed", options))] for p in presets}
        tables.append((f"{family}, placed", ["unit", "MHz", "logic / flip-flops / block RAMs"], rows))
    if flags.page:
        write_page(flags.page, tables, all_presets())
        return
    for kind, head, rows in tables:
        print(f"### {kind}\n{table(head, rows.values())}")


main()
