"""Measures presets and writes their gates and longest paths into synth-scripts/area.csv, which tests hold them to.

    python3 verif/area/ratchet.py              # all presets but topologies
    python3 verif/area/ratchet.py l1d_tsc awl  # these rows alone
"""
import csv
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "synth-scripts/area.csv"
COLUMNS = ["preset", "gate_equivalents", "longest_path_ns"]
TOPOLOGIES = {"dc_l1", "shared_l1", "remote_core"}  # areas of networks, by parts; minutes each


def l1forge(*words):
    done = subprocess.run([ROOT / "build/dev/l1forge", *words, "--json", "-"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr or done.stdout)
    return json.loads(done.stdout)


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
        draft = TABLE.with_suffix(".csv.new")
        with draft.open("w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[name] for name in presets if name in rows)
        os.replace(draft, TABLE)


main()
