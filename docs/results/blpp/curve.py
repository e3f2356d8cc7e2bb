#!/usr/bin/env python3
"""Draws speed over local placement against the ratio of bandwidths.

curve.py OUT.svg STUDY.json: the study's report of docs/studies/blpp-bandwidth.toml.
"""
import json
import math
import sys

GPU = 200  # GB/s
PLACEMENTS = {"bap": ("by bandwidth (BAP)", "#d95f02"), "dynamic": ("dynamic", "#1b9e77")}


def runs(path):
    """By kernel and measure, "local" or PLACEMENT_CPUBANDWIDTH."""
    kernels = {}
    for row in json.load(open(path))["rows"]:
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


class Panel:
    WIDTH, HEIGHT, LEFT, TOP = 300, 220, 50, 40

    def __init__(self, number, title, top):
        self.x0, self.top, self.parts = self.LEFT + number * (self.WIDTH + 60), top, []
        self.text(self.x0, self.TOP - 18, title, "bold")
        for ratio in (0.625, 1.25, 2.5, 5, 10):
            x = self.at(ratio, 0)[0]
            self.text(x, self.TOP + self.HEIGHT + 16, f"{ratio:g}", anchor="middle")
            self.parts.append(f'<path d="M{x:.1f} {self.TOP}v{self.HEIGHT}" stroke="#ddd"/>')
        for step in range(int(top * 2) + 1):
            y = self.at(1, step / 2)[1]
            self.text(self.x0 - 6, y + 4, f"{step / 2:g}", anchor="end")
            self.parts.append(f'<path d="M{self.x0} {y:.1f}h{self.WIDTH}" stroke="#ddd"/>')

    def at(self, ratio, value):
        x = self.x0 + self.WIDTH * math.log(ratio / 0.625) / math.log(16)
        return x, self.TOP + self.HEIGHT * (1 - value / self.top)

    def text(self, x, y, text, weight="normal", anchor="start", colour="#222"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-weight="{weight}" text-anchor="{anchor}" '
                          f'fill="{colour}">{text}</text>')

    def line(self, points, colour, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (self.at(*p) for p in points))
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" '
                          f'stroke-dasharray="{dash}"/>')

    def legend(self, row, text, colour, dash=""):
        y = self.TOP + self.HEIGHT + 36 + 16 * row
        self.parts.append(f'<path d="M{self.x0} {y - 4}h24" stroke="{colour}" stroke-width="2" '
                          f'stroke-dasharray="{dash}"/>')
        self.text(self.x0 + 30, y, text)


def panel(number, title, curves_of_it, bound, bound_text, top):
    p = Panel(number, title, top)
    for row, (name, (text, colour)) in enumerate(PLACEMENTS.items()):
        p.line(curves_of_it[name], colour)
        p.legend(row, text, colour)
    if bound:
        ratios = [0.625 * 2 ** (i / 8) for i in range(33)]
        p.line([(r, bound(r)) for r in ratios], "#444", "5 4")
        p.legend(len(PLACEMENTS), bound_text, "#444", "5 4")
    return p.parts


def main():
    kernels = {kernel: curves(of_kernel) for kernel, of_kernel in runs(sys.argv[2]).items()}
    triad, gemm = kernels["triad"][0], kernels["gemm"][0]
    far = 200 / kernels["gemm"][1]  # latency of CPU pages over that of GPU pages
    all_of = {name: mean([points[name] for points, _ in kernels.values()]) for name in PLACEMENTS}
    parts = panel(0, "triad: speed over local", triad, lambda r: (1 + r) / r, "equation 7: (BG + BC) / BG", 3)
    parts += panel(1, "gemm: speed over local", gemm, lambda r: 1 / ((r + far) / (1 + r)),
                   "1 over equation 8: BAP as far as latency goes", 3)
    parts += panel(2, f"geometric mean of {len(kernels)} kernels", all_of, None, "", 3)
    body = "\n".join(parts)
    with open(sys.argv[1], "w") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1120 364" font-family="sans-serif" '
                  f'font-size="12">\n<rect width="1120" height="364" fill="white"/>\n{body}\n'
                  '<text x="560" y="354" text-anchor="middle" fill="#222">bandwidth of the GPU node over that of '
                  'the CPU node, at 200 GB/s of the first</text>\n</svg>\n')


main()
