"""Pictures of tables in docs/results: each is drawn from the table that its page shows, so that both say the same.

`pictures.py tables` draws them, as Vega-Lite charts.
"""
import dataclasses
import math
import re

PALETTE = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#555555", "#b8a500"]
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left"]
TEXT = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "titleLimit": 0, "labelLimit": 0}


class NoTable(Exception):
    pass


@dataclasses.dataclass
class Picture:
    """PAGE-WHAT stands at the beginning of PAGE.md. `columns` are those that are drawn, by number from 0, with their
    labels; none given: all. A column in `over` is divided into the row's value in another column: cycles become a
    speed."""
    page: str             # whose table it is
    table: str | None     # STUDY/TABLE, or the mark of a table of no study; None: the first table of the page
    columns: dict
    title: str            # of the values
    alt: str              # what the picture shows, for those who do not see it
    over: dict = dataclasses.field(default_factory=dict)
    gain: bool = False    # values are per cent more than the base
    grid: bool = False    # a cell for each value in the place of dots
    one: bool = True      # the value 1 is a line
    log: bool = True
    skip: tuple = ()      # rows, by their names


PICTURES = {
    "banks-speed": Picture(
        "banks", None, {2: "2 banks", 4: "4 banks"}, "speed over l1d",
        "Speed of two and four banks over one, by kernel", over={2: 1, 4: 1}, log=False),
    "bucl-ipc": Picture(
        "bucl", "bucl-system/ipc", {2: "MRPB", 4: "Prf10k", 5: "SWL-Best", 6: "Dyn", 7: "SWBU"},
        "IPC over the base (log scale)",
        "IPC over the base of MRPB, bypasses, the best warp limit and both, by program", gain=True),
    "dc-l1-speed": Picture(
        "dc-l1", "dc-l1-time/figures", {6: "Pr", 7: "Sh", 8: "Sh+C", 9: "Sh+C+Boost"},
        "speed over private L1s (log scale)", "Speed of decoupled L1s over private ones, by kernel"),
    "decoupled-l1d-speed": Picture(
        "reuse-filter", "unfriendly/seven", {2: "reuse filter", 3: "all loads bypass", 4: "SRRIP"},
        "speed over l1d (log scale)",
        "Speed of the reuse filter, of bypassing all loads, and of SRRIP, on the paper's seven programs"),
    "hit-latency-speed": Picture(
        "hit-latency", "hit-latency/kernels", {2: "l1d", 5: "l1d_gpu"}, "speed over a hit in two cycles",
        "Speed of hits in one cycle over hits in two, by kernel", over={2: 1, 5: 4}, log=False),
    "kernels-speed": Picture(
        "kernels", "kernels/kernels",
        {2: "l1d, PLI", 3: "l1d_adi", 4: "l1d_sectored", 5: "l1d_reuse_filter", 6: "l1d_tsc", 7: "l1d_tsc_plus"},
        "speed over l1d (log scale)", "Speed of six caches over l1d, by kernel",
        over={column: 1 for column in range(2, 8)}),
    "memory-speed": Picture(
        "memory", "memory/speed",
        {1: "100, 32", 2: "25, 32", 3: "400, 32", 4: "100, 128", 5: "400, 128", 6: "100, 8"},
        "speed over the conventional cache", "Speed of each mechanism over the conventional cache, by memory",
        grid=True, skip=("conventional, 16 KiB: million cycles, mean",)),
    "remote-core-served": Picture(
        "remote-core", "remote-core/served",
        {2: "another L1 has the line", 3: "IP(27,1,1)", 5: "IP(5,2,0.5)", 6: "RP(27,1,1)", 7: "RP(5,2,0.5)"},
        "misses that other cores serve, %", "Share of the misses that other cores serve, by kernel and search",
        one=False, log=False),
    "replay-speed": Picture(
        "replay", "replay/cycles",
        {3: "l1d", 4: "l1d_sectored", 5: "l1d_tsc", 7: "l1d_reuse_filter", 10: "l1d_mrpb", 11: "l1d_gpu"},
        "speed over no cache", "Speed of six caches over none, by recording of a GPU core",
        over={column: 2 for column in (3, 4, 5, 7, 10, 11)}, log=False),
    "reuse-filter-speed": Picture(
        "reuse-filter", "reuse-filter/speed", {}, "speed over l1d of 16 KiB",
        "Speed of reuse filters over l1d, by kernel, number of tag entries and threshold", grid=True),
    "sensitivity-private": Picture(
        "sensitivity", "sensitivity-tsc/private", {}, "speed over lines of 128 bytes",
        "Speed of split tags by kernel and bits of the private tag", grid=True),
    "set-indices-speed": Picture(
        "set-indices", "aci-system/indices", {2: "BXI", 3: "RXI", 4: "PLI", 5: "PRI", 6: "ADI"},
        "speed over the conventional index (log scale)", "Speed of five indices over the conventional one, by program"),
    "shared-l1-speed": Picture(
        "shared-l1", "shared-l1-time/figures", {3: "Shared", 4: "+Chunk", 5: "Shared++", 6: "DynEB", 7: "DynAMAT"},
        "speed over private L1s (log scale)", "Speed of shared L1s over private ones, by kernel"),
    "energy-btree": Picture(
        "energy", "energy/btree", {1: "all", 3: "clock", 2: "RAM macros"}, "pJ a cycle",
        "Energy of a cycle of eight caches in SG13G2, on B+tree", one=False, log=False),
    "silicon-gates": Picture(
        "silicon", "silicon gates", {1: "osu018", 2: "SG13G2", 3: "ASAP7", 4: "GT2N"},
        "thousands of gate equivalents (log scale)",
        "Thousands of gate equivalents of every unit in four technologies", one=False,
        skip=("`index_cvi`", "`dc_l1_home`")),
    "silicon-paths": Picture(
        "silicon", "silicon paths", {1: "osu018", 2: "SG13G2", 3: "ASAP7", 4: "GT2N"}, "longest path, ns (log scale)",
        "Longest path of every unit in four technologies", one=False, skip=("`index_cvi`", "`dc_l1_home`")),
    "split-tags-speed": Picture(
        "split-tags", "tsc-system/speed", {2: "MRPB's bypass", 3: "sectored", 5: "DSC-4", 6: "TSC", 7: "TSC+"},
        "speed over lines of 128 bytes (log scale)", "Speed of split tags and their rivals, by program"),
    "store-update-speed": Picture(
        "store-update", "store-update/cycles", {2: "l1d", 3: "pli", 4: "update", 5: "l1d_mrpb", 6: "l1d_gpu"},
        "speed over no cache", "Speed of five caches over none, by recording of a GPU core",
        over={column: 1 for column in range(2, 7)}, log=False),
}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table_of(text, name):
    """Its head and its rows."""
    if name:
        begin = max(text.find(f"<!-- {mark} -->") for mark in (f"table {name}", name))
        if begin < 0:
            raise NoTable(f"has no table {name}")
        text = text[begin:text.index("<!-- /", begin)]
    lines = re.findall(r"(?:^\|.*\n)+", text, re.M)
    if not lines:
        raise NoTable("has no table")
    rows = [cells(line) for line in lines[0].splitlines()]
    return rows[0], rows[2:]


def number(cell):
    """Of "1,234 (5.6)" or "5 %"; None of a cell without one."""
    found = re.match(r"-?[\d,]*\.?\d+", cell)
    return float(found[0].replace(",", "")) if found else None


def plain(cell):
    return cell.replace("`", "")


def values(picture, text):
    """A row for each cell that is drawn."""
    head, rows = table_of(text, picture.table)
    columns = picture.columns or {column: plain(head[column]) for column in range(1, len(head))}
    found = []
    for row in rows:
        if row[0] in picture.skip:
            continue
        for column, series in columns.items():
            value = number(row[column])
            if value is not None and column in picture.over:
                value = number(row[picture.over[column]]) / value
            if value is not None and picture.gain:
                value = 1 + value / 100
            if value is not None:
                found.append({"row": plain(row[0]), "series": series, "value": round(value, 4)})
    if not found:
        raise NoTable(f"has no numbers in {picture.table or 'its first table'}")
    return found


def in_order(found, field):
    return [*dict.fromkeys(one[field] for one in found)]


def dots(picture, found):
    names = in_order(found, "series")
    scale = {"type": "log", "nice": False} if picture.log else {"zero": False, "nice": True}
    x = {"field": "value", "type": "quantitative", "title": picture.title, "scale": scale,
         "axis": {"orient": "top", "grid": True, "format": "~g"}}
    if picture.log:
        low, high = (function(one["value"] for one in found) for function in (min, max))
        low, high = low / 1.06, high * 1.06
        x["scale"]["domain"] = [low, high]
        x["axis"]["values"] = ticks(low, high)
    y = {"field": "row", "type": "nominal", "sort": in_order(found, "row"), "title": None,
         "axis": {"grid": True, "gridDash": [2, 3], "ticks": False, "domain": False}}
    legend = {"orient": "bottom", "columns": 3, "title": None, "symbolSize": 90, "symbolStrokeWidth": 2}
    points = {"data": {"values": found}, "mark": {"type": "point", "size": 60, "strokeWidth": 2},
              "encoding": {"x": x, "y": y,
                           "color": {"field": "series", "type": "nominal", "legend": legend,
                                     "scale": {"domain": names, "range": PALETTE[:len(names)]}},
                           "shape": {"field": "series", "type": "nominal", "legend": legend,
                                     "scale": {"domain": names, "range": SHAPES[:len(names)]}}}}
    base = {"data": {"values": [{"value": 1}]}, "mark": {"type": "rule", "strokeWidth": 1.5, "color": "#333333"},
            "encoding": {"x": {"field": "value", "type": "quantitative"}}}
    return {"width": 520, "height": {"step": 24}, "layer": ([base] if picture.one else []) + [points]}


def ticks(low, high):
    """1, 2 and 5 times powers of ten, and between them where that is few."""
    for factors in ([1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1 + step / 10 for step in range(90)]):
        found = [round(factor * 10.0 ** power, 6) for power in range(-3, 6) for factor in factors]
        found = [tick for tick in found if low <= tick <= high]
        if len(found) >= 4:
            return found
    return found


def grid(picture, found):
    reach = max(abs(math.log2(max(one["value"], 1e-3))) for one in found)
    reach = min(reach, 3)
    x = {"field": "series", "type": "nominal", "sort": in_order(found, "series"), "title": None,
         "axis": {"orient": "top", "labelAngle": -40, "ticks": False, "domain": False}}
    y = {"field": "row", "type": "nominal", "sort": in_order(found, "row"), "title": None,
         "axis": {"ticks": False, "domain": False}}
    shade = {"field": "log", "type": "quantitative", "legend": None,
             "scale": {"scheme": "blueorange", "reverse": True, "domain": [-reach, reach], "clamp": True}}
    for one in found:
        one["log"] = round(math.log2(max(one["value"], 1e-3)), 4)
        one["dark"] = abs(one["log"]) > 0.72 * reach
    cell = {"mark": {"type": "rect", "stroke": "white"}, "encoding": {"color": shade}}
    label = {"mark": {"type": "text", "fontSize": 11},
             "encoding": {"text": {"field": "value", "type": "quantitative", "format": ".3~g"},
                          "color": {"condition": {"test": "datum.dark", "value": "white"}, "value": "#222222"}}}
    return {"width": {"step": 46}, "height": {"step": 24}, "title": {"text": picture.title, "anchor": "start"},
            "data": {"values": found}, "encoding": {"x": x, "y": y}, "layer": [cell, label]}


def spec_of(picture, text):
    found = values(picture, text)
    chart = grid(picture, found) if picture.grid else dots(picture, found)
    return {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "description": picture.alt,
            "background": "white", "padding": 12} | chart | {
                "config": {"font": "sans-serif", "axis": TEXT, "legend": {"labelFontSize": 12, "labelLimit": 0},
                           "title": {"fontSize": 13, "fontWeight": "normal"}, "view": {"stroke": None}}}
