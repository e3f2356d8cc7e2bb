#!/usr/bin/env python3
"""Draws speed over local placement against the ratio of bandwidths, as a Vega-Lite chart.

curve.py OUT.svg STUDY.json: the study's report of docs/studies/blpp-bandwidth.toml. `./forge charts` fetches what
draws; VL_CONVERT_DIR names another folder with the Python package vl_convert.
"""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import vega_svg

GPU = 200  # GB/s
PLACEMENTS = {"bap": "by bandwidth (BAP)", "dynamic": "dynamic"}
SHARE = "equation 7: (BG + BC) / BG"
LATENCY = "1 over equation 8: BAP as far as latency goes"
COLOURS = {PLACEMENTS["bap"]: "#0072b2", PLACEMENTS["dynamic"]: "#e69f00", SHARE: "#555", LATENCY: "#999"}
RATIOS = [0.625 * 2 ** (i / 8) for i in range(33)]


def runs(path):
    """By kernel and measure, "local" or PLACEMENT_CPUBANDWIDTH."""
    kernels = {}
    for row in json.loads(pathlib.Path(path).read_text())["rows"]:
        kernels.setdefault(row["input"], {})[row["measure"]] = row["figures"]
    return kernels


def latency(run):
    nodes = run["nodes"]
    return 1 + nodes["l1_miss_rate"] * (120 + 100 * nodes["l2_miss_rate"])


def curves(of_kernel):
    """By placement: (bandwidth ratio, speed over local), and the latency of local pages."""
    local = of_kernel["local"]
    points = {name: [] for name in PLACEMENTS}
    for name, run in of_kernel.items():
        if name != "local":
            placement, bandwidth = name.rsplit("_", 1)
            points[placement].append((GPU / int(bandwidth), local["cycles"] / run["cycles"]))
    return {name: sorted(p) for name, p in points.items()}, latency(local)


def mean(all_points):
    """The geometric mean of several kernels' curves."""
    return [(column[0][0], math.exp(sum(math.log(y) for _, y in column) / len(column)))
            for column in zip(*all_points)]


def rows(points, name):
    return [{"ratio": ratio, "speed": speed, "name": name} for ratio, speed in points]


def panel(title, measured, bound, bound_name):
    """Curves with a mark at each measured point; the bound is a broken line."""
    found = [row for name, points in measured.items() for row in rows(points, PLACEMENTS[name])]
    bounds = rows([(ratio, bound(ratio)) for ratio in RATIOS], bound_name) if bound else []
    names = [*dict.fromkeys(row["name"] for row in found + bounds)]
    colour = {"field": "name", "type": "nominal", "title": None,
              "scale": {"domain": names, "range": [COLOURS[name] for name in names]},
              "legend": {"orient": "bottom", "columns": 1, "labelLimit": 0}}
    x = {"field": "ratio", "type": "quantitative", "title": "bandwidth of the GPU node over the CPU node's (log scale)",
         "scale": {"type": "log", "domain": [0.625, 10], "nice": False}, "axis": {"values": [0.625, 1.25, 2.5, 5, 10]}}
    y = {"field": "speed", "type": "quantitative", "title": "speed over local",
         "scale": {"domain": [0, 3], "clamp": True}}
    layers = [{"data": {"values": found}, "mark": {"type": "line", "point": {"size": 20}},
               "encoding": {"x": x, "y": y, "color": colour}}]
    if bounds:
        layers.append({"data": {"values": bounds}, "mark": {"type": "line", "strokeDash": [5, 4]},
                       "encoding": {"x": x, "y": y, "color": colour}})
    return {"title": {"text": title, "anchor": "start"}, "width": 420, "height": 220, "layer": layers}


def main():
    kernels = {kernel: curves(of_kernel) for kernel, of_kernel in runs(sys.argv[2]).items()}
    far = 200 / kernels["gemm"][1]  # latency of CPU pages over that of GPU pages
    all_of = {name: mean([points[name] for points, _ in kernels.values()]) for name in PLACEMENTS}
    panels = [panel("triad", kernels["triad"][0], lambda r: (1 + r) / r, SHARE),
              panel("gemm", kernels["gemm"][0], lambda r: 1 / ((r + far) / (1 + r)), LATENCY),
              panel(f"geometric mean of {len(kernels)} kernels", all_of, None, "")]
    text = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal"}
    spec = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "vconcat": panels,
            "background": "white", "padding": 12, "resolve": {"scale": {"color": "independent"}},
            "config": {"font": "sans-serif", "axis": text | {"titleLimit": 0}, "legend": text,
                       "title": {"fontSize": 14}, "view": {"stroke": None}}}
    out = pathlib.Path(sys.argv[1])
    try:
        out.with_suffix(".new").write_text(vega_svg.svg_of(spec))
    except vega_svg.NoLibrary as why:
        sys.exit(f"curve.py: {why}")
    out.with_suffix(".new").rename(out)


main()
