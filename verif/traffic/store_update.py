#!/usr/bin/env python3
"""Prints docs/results/store-update.md: `l1d_gpu` beside `l1d` on the recordings of this folder."""
import json
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
files = sorted(root.glob("verif/traffic/*.txt.xz"))


def replays(recordings, preset, *settings):
    flags = [word for setting in settings for word in ("-s", setting)]
    command = [root / "forge", "cosim", preset, *flags, "--replay", *map(str, recordings), "--json", "-"]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [r for r in json.loads(found)["replays"]]


def name(replay):
    return pathlib.Path(replay["recording"]).name.split(".")[0]


def table(runs, cell, first=None):
    print(f"| recording | {' | '.join([*(first or {}), *runs])} |")
    print("| --- |" + " --- |" * (len(first or {}) + len(runs)))
    for row in zip(*runs.values()):
        cells = [f(row[0]) for f in (first or {}).values()] + [cell(r) for r in row]
        print(f"| {name(row[0])} | {' | '.join(cells)} |")


def loads_down(replay):
    return f"{replay['counters']['requests_down']:,}"


def waits(replay):
    return f"{sum(replay['counters'][f'reservation_fail_{cause}'] for cause in ('line', 'mshr', 'merge')):,}"


def latency(replay):
    of = replay["latency"]
    return ", ".join(f"{of[kind]['median']}/{of[kind]['percentile_99']}" for kind in ("hits", "others"))


runs = {
    "`l1d`": replays(files, "l1d"),
    "`l1d_gpu`": replays(files, "l1d_gpu"),
}
print("""# Stores that update, a hashed index and MRPB's bypass on a GPU core's traffic
The recordings of [replay.md](replay.md), replayed as there on the Verilog of `l1d` and of `l1d_gpu`, whose stores \
update, whose index is polynomial, and whose loads wait for no place while the miss queue has room; `l1d_mrpb`, with \
the last of these alone, stands in that page. `verif/traffic/store_update.py` prints this one.

## Cycles
With a memory of one chunk a cycle and 100 cycles of latency. "Uncached": the same requests past the cache.
""")
table(runs, lambda r: f"{r['cycles']:,}", {"uncached": lambda r: f"{r['cycles_uncached']:,}"})
print("""
## Cycles with back-pressure
The same with answers taken, and memory's requests and answers let through, in a quarter of the cycles each.
""")
table(runs, lambda r: f"{r['cycles_with_back_pressure']:,}")
print("""
## Loads sent on
Requests of loads to memory.
""")
table(runs, loads_down, {"loads": lambda r: f"{r['counters']['loads']:,}"})
print("""
## Cycles in which a load waits for a line, an MSHR entry or a merge place
With MRPB's bypass none does while the miss queue has room (`l1d_replay_test` holds this).
""")
table(runs, waits)
print("""
## Cycles from a load's acceptance to its answer
Median/99th percentile, of hits, then of all other loads.
""")
table(runs, latency)
