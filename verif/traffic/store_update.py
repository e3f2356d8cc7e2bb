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


def sum_row(runs, figure, first=None):
    columns = list(runs.values())
    sums = [sum(f(r) for r in columns[0]) for f in (first or {}).values()]
    sums += [sum(figure(r) for r in column) for column in columns]
    print(f"| all | {' | '.join(f'{s:,}' for s in sums)} |")


runs = {
    "`l1d`": replays(files, "l1d"),
    "pli": replays(files, "l1d", "index.kind=pli"),
    "update": replays(files, "l1d", "tags.store_policy=update"),
    "`l1d_mrpb`": replays(files, "l1d_mrpb"),
    "`l1d_gpu`": replays(files, "l1d_gpu"),
}
kinds = {
    "sectored": replays(files, "l1d_sectored"),
    "sectored, update": replays(files, "l1d_sectored", "tags.store_policy=update"),
    "sectored, lines": replays(files, "l1d_sectored", "tags.fetch=line"),
    "decoupled": replays(files, "l1d_dsc"),
    "decoupled, update": replays(files, "l1d_dsc", "tags.store_policy=update"),
    "split": replays(files, "l1d_tsc"),
    "split, update": replays(files, "l1d_tsc", "tags.store_policy=update"),
    "reuse filter": replays(files, "l1d_reuse_filter"),
    "reuse filter, update": replays(files, "l1d_reuse_filter", "tags.store_policy=update"),
}


def furthest_behind(figure):
    """How far `l1d_gpu` is behind the best of the others at most, in percent, and where."""
    behind = []
    for row in zip(*runs.values()):
        best = min(figure(r) for r in row)
        behind.append((100 * (figure(row[-1]) / best - 1), name(row[0])))
    return max(behind)


def verdict(figure):
    sums = {key: sum(figure(r) for r in column) for key, column in runs.items()}
    fastest = min(sums, key=sums.get)
    percent, where = furthest_behind(figure)
    behind = f"at most {percent:.1f} % slower than the best, on {where}" if percent > 0 else "never slower than another"
    print(f"\nThe fastest on the sum is {fastest}; recording by recording `l1d_gpu` is {behind}.")


print("""# Stores that update, a hashed index and MRPB's bypass on a GPU core's traffic
The recordings of [replay.md](replay.md), replayed as there on the Verilog of `l1d` and of `l1d_gpu`, whose stores \
update, whose index is polynomial, and whose loads wait for no place while the miss queue has room; and of `l1d` with \
each of these alone: `index.kind = "pli"`, `tags.store_policy = "update"`, and `l1d_mrpb`. \
`verif/traffic/store_update.py` prints this one.

## Cycles
With a memory of one chunk a cycle and 100 cycles of latency. "Uncached": the same requests past the cache.
""")
table(runs, lambda r: f"{r['cycles']:,}", {"uncached": lambda r: f"{r['cycles_uncached']:,}"})
sum_row(runs, lambda r: r["cycles"], {"uncached": lambda r: r["cycles_uncached"]})
verdict(lambda r: r["cycles"])
print("""
## Cycles with back-pressure
The same with answers taken, and memory's requests and answers let through, in a quarter of the cycles each.
""")
table(runs, lambda r: f"{r['cycles_with_back_pressure']:,}")
sum_row(runs, lambda r: r["cycles_with_back_pressure"])
verdict(lambda r: r["cycles_with_back_pressure"])
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
print("""
## Cycles of other tags
`l1d_sectored`, `l1d_dsc`, `l1d_tsc` and `l1d_reuse_filter` as they come and with stores that update; "lines": \
`tags.fetch = "line"`, a miss fetches all of its line that is absent. A request of 8 lanes is one chunk.
""")
table(kinds, lambda r: f"{r['cycles']:,}")
sum_row(kinds, lambda r: r["cycles"])
