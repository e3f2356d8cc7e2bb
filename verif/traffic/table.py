#!/usr/bin/env python3
"""Prints docs/results/replay.md: every recording of this folder on every cache preset, by `./forge cosim --replay`."""
import json
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
files = sorted(root.glob("verif/traffic/*.txt.xz"))


def forge(*arguments):
    return subprocess.run([root / "forge", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def replays(preset):
    found = json.loads(forge("cosim", preset, "--replay", *map(str, files), "--json", "-"))["replays"]
    return {pathlib.Path(r["recording"]).name.split(".")[0]: r for r in found}


def table(cell, first=None):
    columns = [*presets]
    print(f"| recording | {' | '.join([*(first or {}), *(f'`{p}`' for p in columns)])} |")
    print("| --- |" + " --- |" * (len(first or {}) + len(columns)))
    for name in presets["l1d"]:
        row = [f(presets["l1d"][name]) for f in (first or {}).values()]
        print(f"| {name} | {' | '.join(row + [cell(presets[p][name]) for p in columns])} |")


def hits(replay):
    c = replay["counters"]
    percent = [100 * c[name] / c["loads"] if c["loads"] else 0 for name in ("hits", "hit_pending")]
    return f"{percent[0]:.1f} + {percent[1]:.1f}"


caches = [line.split()[0] for line in forge("list").splitlines() if line.startswith("  l1d")]
presets = {p: replays(p) for p in caches if p != "l1d_bucl"}

print("""# Recorded traffic of a GPU core on every cache
What the Vortex GPU sent to its data cache while it ran its own kernels (`verif/traffic/`), replayed on the Verilog of \
each preset (16 KiB, 32 MSHRs), in lock step with the golden model and with every loaded byte compared with the \
recorded one. Behind the cache stands a memory of one 32-byte chunk a cycle and 100 cycles of latency; a request goes \
out when the answers have come that came before it in the recording, in order. This page is what \
`verif/traffic/table.py` prints; `./forge cosim l1d --replay verif/traffic/*.txt.xz` shows what it says of one. \
`l1d_bucl` is left out: a recording does not say which requests are one load's, so that a replay draws their degrees.

## Cycles
"Uncached": the same requests through `l1d`, all of them of kind 3, past the cache.

A miss of `l1d` brings the four chunks of a line, an uncached load those it asks for; and while all ways of a set wait \
for theirs, a load that needs one holds up all behind it (`reservation_fail_line` of `--json`). Where little is used \
again (vecadd, cta) that costs more than the hits save. Split tags take room for the chunks alone, and the reuse \
filter does not wait.
""")
table(lambda r: f"{r['cycles']:,}",
      {"requests": lambda r: f"{r['requests']:,}", "uncached": lambda r: f"{r['cycles_uncached']:,}"})
print("""
## Loads that hit
In percent of the loads that go to the cache: those whose chunks are there, plus those that wait for chunks already on \
their way.
""")
table(hits)
print("""
## Cycles with back-pressure
The same with answers taken, and memory's requests and answers let through, in a quarter of the cycles each.
""")
table(lambda r: f"{r['cycles_with_back_pressure']:,}")
