"""Measures presets and writes their gates and longest paths into synth-scripts/area.csv, which tests hold them to,
and into their rows of docs/area.md.

    python3 verif/area/ratchet.py              # all presets but topologies
    python3 verif/area/ratchet.py l1d_tsc awl  # these rows alone
"""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "synth-scripts/area.csv"
PAGE = ROOT / "docs/area.md"
COLUMNS = ["preset", "gate_equivalents", "longest_path_ns"]
TOPOLOGIES = {"dc_l1", "shared_l1", "remote_core"}  # areas of networks, by parts; minutes each


def l1forge(*words):
    done = subprocess.run([ROOT / "build/dev/l1forge", *words, "--json", "-"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)
    return json.loads(done.stdout)


def write(file, text):
    draft = file.with_name(file.name + ".new")
    draft.write_text(text)
    os.replace(draft, file)


def write_page(row):
    gates, path = float(row["gate_equivalents"]), float(row["longest_path_ns"])
    figures = f"{gates:,.0f} | {path:.2f}" if gates >= 1000 else f"{gates:.1f} | {path:.2f}"
    of_unit = re.compile(rf"^(\| `{row['preset']}` \|) [\d,.]+ \| [\d.]+ \|$", re.MULTILINE)
    write(PAGE, of_unit.sub(rf"\1 {figures} |", PAGE.read_text()))


def main():
    presets = [unit["preset"] for unit in l1forge("list")["units"] if unit["preset"] not in TOPOLOGIES]
    wanted = sys.argv[1:] or presets
    if unknown := set(wanted) - set(presets):
        sys.exit(f"{', '.join(sorted(unknown))}: no preset, or a topology")
    rows = {}
    if TABLE.exists():
        with TABLE.open() as file:
            rows = {row["preset"]: row for row in csv.DictReader(file)}
    for preset in wanted:
        unit = l1forge("area", preset, "--alone")["units"][0]
        figures = (unit["gate_equivalents"]["median"], unit["longest_path_ns"]["median"])
        rows[preset] = dict(zip(COLUMNS, [preset] + [f"{figure:.4f}" for figure in figures]))
        print(",".join(rows[preset].values()), flush=True)
        # After each unit, so that a run that is cut short has kept what it measured.
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[name] for name in presets if name in rows)
        write(TABLE, text.getvalue())
        write_page(rows[preset])


main()
