#!/usr/bin/env python3
"""Draws the measured pictures of docs/results again, by the commands that their pages name or from the tables of the
pages, and the block and timing diagrams of docs/contracts, by `l1forge datasheet UNIT --diagrams`.

    docs/pictures.py --traces TRACES              # all of them; pareto takes an hour
    docs/pictures.py --traces TRACES iacm-atax    # these alone
    docs/pictures.py --check iacm-atax            # compares, and writes nothing
    docs/pictures.py tables                       # those of tables, table_pictures.py
    docs/pictures.py contracts                    # all of docs/contracts
    docs/pictures.py contracts/l1d                # those of one unit

TRACES is the folder with the recordings of whole kernels; iacm-atax, mesh-load, vc-crossbar-load, tables and contracts
need none. The exit status is 1 where a picture of --check differs, and 2 where one cannot be drawn.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import table_pictures
import vega_svg

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs/results"
DIAGRAMS = ROOT / "docs/contracts/diagrams"
BUILD = ROOT / "build/dev"

INDICES = ["cvi", "bxi", "rxi", "pli", "pri"]
ATAX = ["pb_atax.atax_kernel1.rec.xz"]
SRAD = ["rodinia_srad_v1.srad.rec.xz"]
OF_SECTORS = ["rodinia_kmeans.invert_mapping.rec.xz", "rodinia_bfs_rmat.Kernel.rec.xz"]
DSC = ["dsc/dsc2_tag.toml", "dsc/dsc4.toml", "dsc/dsc4_tag.toml"]
# Of the contracts: the units, and the settings that a page is about.
SMALL_MESH = ["-s", "topology.cores=4", "-s", "topology.slices=2", "-s", "mesh.width=3", "-s", "mesh.height=2",
              "-s", "mesh.memory_nodes=[1, 4]"]
UNITS = {
    "axi4_adapter": [], "axi4_bridge": [], "blpp": [], "bucl_threshold_unit": [], "butterfly": [], "coalescer": [],
    "dc_l1_node": [], "iacm_controller": [], "l1_subsystem": [], "l1d": [], "l1d_adi": [], "l1d_banks": [],
    "l1d_checked": ["-s", "check.ports=true"], "l1d_dsc": [],
    "l1d_ecc": ["-s", "ecc.data=secded", "-s", "ecc.tags=parity", "-s", "ecc.mshr=secded"], "l1d_iacm": [],
    "l1d_reuse_filter": [], "l1d_tsc": [], "mesh_router": [], "remote_node": [], "secded": [],
    "shared_l1": SMALL_MESH, "tilelink_adapter": [], "tilelink_bursts": ["-s", "tilelink.burst_bytes=128"],
    "vc_crossbar": [], "vortex_adapter": [],
}
# The units of those with settings; the others are of an l1d.
PRESETS = {"shared_l1": "shared_l1", "tilelink_bursts": "tilelink_adapter"}
PARETO = ["pareto-cycles", "pareto-gates", "pareto-misses", "pareto-traffic"]


class CannotDraw(Exception):
    pass


def run(words, env=None):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True, env=env)
    if done.returncode:
        raise CannotDraw((done.stderr or done.stdout).strip().splitlines()[-1])


def forge(*words):
    run([ROOT / "forge", *words])


def needed(traces):
    if traces is None:
        raise CannotDraw("needs --traces TRACES")
    return traces


def on(traces, names):
    return [word for name in names for word in ("--trace", needed(traces) / name)]


def adaptive_atax(drafts, traces):
    units = []
    for kind in INDICES:
        units.append(drafts / f"{kind}.toml")
        units[-1].write_text(f'preset = "l1d"\nindex.kind = "{kind}"\n')
    forge("explore", "l1d_adi", *units, "--untimed", *on(traces, ATAX), "--html", drafts / "adaptive-atax.svg")


def dsc_misses(drafts, traces):
    forge("explore", "l1d", "l1d_sectored", "l1d_dsc", *[RESULTS / file for file in DSC], "l1d_tsc",
          RESULTS / "tsc/plus.toml", "-s", "index.kind=pli", "--untimed", *on(traces, OF_SECTORS),
          "--html", drafts / "dsc-misses.svg")


def iacm_atax(drafts, _):
    forge("cosim", "l1d_iacm", "--trace", ROOT / "verif/traces/atax256_first_warps.rec.xz",
          "--svg", drafts / "iacm-atax.svg")


def mesh_map(drafts, traces):
    forge("explore", RESULTS / "shared-l1/shared_pp.toml", "--untimed", *on(traces, SRAD),
          "--html", drafts / "mesh-map.svg")


def blpp_bandwidth(drafts, traces):
    study = BUILD / "studies/blpp-bandwidth"
    forge("study", ROOT / "docs/studies/blpp-bandwidth.toml", "--traces", needed(traces), "-o", study)
    run([sys.executable, RESULTS / "blpp/curve.py", drafts / "blpp-bandwidth.svg", study / "study.json"])


def diagrams_of(unit):
    """Those that a contract links to."""
    def draw(drafts, _):
        pages = "".join(page.read_text() for page in DIAGRAMS.parent.glob("*.md"))
        settings = UNITS[unit]
        preset = PRESETS.get(unit, "l1d") if settings else unit
        forge("datasheet", preset, *settings, "--diagrams", "-o", drafts)
        for made in sorted(drafts.glob("*.svg")):
            # Named after the unit, not after the hash of its settings.
            part = re.search(r"-(block|[a-z]+(?:-[a-z]+)+)\.svg$", made.name)[1]
            named = made.rename(drafts / f"{unit}-{part}.svg")
            if named.name not in pages:
                named.unlink()
    return draw


def pareto(drafts, traces):
    """The study writes into docs/results, which a check leaves as it was."""
    kept = {name: (RESULTS / f"{name}.svg").read_bytes() for name in PARETO}
    forge("study", ROOT / "docs/studies/pareto.toml", "--traces", needed(traces), "--pages",
          "-o", BUILD / "studies/pareto")
    for name, before in kept.items():
        shutil.copy(RESULTS / f"{name}.svg", drafts)
        (RESULTS / f"{name}.svg").write_bytes(before)


def of_table(name):
    def draw(drafts, _):
        picture = table_pictures.PICTURES[name]
        try:
            spec = table_pictures.spec_of(picture, (RESULTS / f"{picture.page}.md").read_text())
            (drafts / f"{name}.svg").write_text(vega_svg.svg_of(spec))
        except table_pictures.NoTable as why:
            raise CannotDraw(f"{picture.page}.md {why}") from why
        except vega_svg.NoLibrary as why:
            raise CannotDraw(why) from why
    return draw


def of_test(name, test):
    """A test of the full tier compares the picture with what it measures, and writes it into the build folder where
    the two differ."""
    def draw(drafts, _):
        fresh = BUILD / f"{name}.svg"
        fresh.unlink(missing_ok=True)
        program = BUILD / "tests/noc_tests"
        if not program.exists():
            raise CannotDraw(f"needs {program.relative_to(ROOT)}, which ./forge test builds")
        done = subprocess.run([program, f"--gtest_filter={test}"], cwd=BUILD, capture_output=True, text=True,
                              env=os.environ | {"FORGE_FULL": "1"})
        if "Running 1 test " not in done.stdout:
            raise CannotDraw(f"{program.relative_to(ROOT)} has no test {test}")
        shutil.copy(fresh if fresh.exists() else RESULTS / f"{name}.svg", drafts)
    return draw


# Names that stand for several pictures.
GROUPS = {"contracts": [f"contracts/{unit}" for unit in UNITS], "tables": [*table_pictures.PICTURES]}
# By name: the folder of the pictures, and what draws them.
PICTURES = {
    "adaptive-atax": (RESULTS, adaptive_atax),
    "blpp-bandwidth": (RESULTS, blpp_bandwidth),
    "dsc-misses": (RESULTS, dsc_misses),
    "iacm-atax": (RESULTS, iacm_atax),
    "mesh-load": (RESULTS, of_test("mesh-load", "MeshLoad.CurvesAreThoseOfTheDocuments")),
    "mesh-map": (RESULTS, mesh_map),
    "pareto": (RESULTS, pareto),
    "vc-crossbar-load": (RESULTS, of_test("vc-crossbar-load", "VcLoadFull.CurvesAreThoseOfTheDocuments")),
} | {name: (RESULTS, of_table(name)) for name in table_pictures.PICTURES} | {
    f"contracts/{unit}": (DIAGRAMS, diagrams_of(unit)) for unit in UNITS}


def settle(draft, folder, check):
    """Whether the picture stays as it is; a new one takes its place unless it is only checked."""
    kept = folder / draft.name
    same = kept.exists() and kept.read_bytes() == draft.read_bytes()
    print(f"{draft.stem}: {'unchanged' if same else 'differs' if check else 'drawn again'}", flush=True)
    if not same and not check:
        folder.mkdir(exist_ok=True)
        shutil.copy(draft, kept.with_suffix(".svg.new"))
        os.replace(kept.with_suffix(".svg.new"), kept)
    return same


def chosen(names):
    known = [*PICTURES, *GROUPS]
    if unknown := sorted(set(names) - set(known)):
        print(f"{', '.join(unknown)}: no picture; there are {', '.join(known)}", file=sys.stderr)
        sys.exit(2)
    wanted = {picture for name in names for picture in GROUPS.get(name, [name])}
    return [picture for picture in PICTURES if not names or picture in wanted]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all, or " + ", ".join(PICTURES))
    parser.add_argument("--traces", type=pathlib.Path, metavar="TRACES", help="folder with the recordings")
    parser.add_argument("--check", action="store_true", help="compare only; exit status 1 where a picture differs")
    options = parser.parse_args()
    traces = options.traces.resolve() if options.traces else None
    differ = undrawn = False
    for name in chosen(options.names):
        kept, draw = PICTURES[name]
        with tempfile.TemporaryDirectory() as folder:
            try:
                draw(pathlib.Path(folder), traces)
            except CannotDraw as why:
                print(f"{name}: {why}", file=sys.stderr)
                undrawn = True
                continue
            for draft in sorted(pathlib.Path(folder).glob("*.svg")):
                differ |= not settle(draft, kept, options.check)
    sys.exit(2 if undrawn else 1 if differ and options.check else 0)


if __name__ == "__main__":
    main()
