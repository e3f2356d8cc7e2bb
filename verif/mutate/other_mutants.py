#!/usr/bin/env python3
"""Mutants of another tool: yosys' `mutate` changes modules of a unit, of whose lists `l1forge verify` knows
nothing, and `l1forge cosim` runs against each.

One program holds all mutants of a module; the file fault.hex in its folder has the number of the one at work.
A survivor is compared with the sound module with registers and instances cut open: equal ones are equivalent.

  verif/mutate/other_mutants.py UNIT --modules M ... [-s KEY=VALUE ...] [--mutants 30] [--cycles N]

Prints a row for each module, and each survivor that is not proved equivalent. A module with Verilog parameters
has a row for each set of values that its instances in the unit give them.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SELECT = "mutant_number"


def fail(words):
    sys.exit(f"other_mutants.py: {words}")


def call(argv, folder, limit=None):
    return subprocess.run([str(a) for a in argv], cwd=folder, capture_output=True, text=True, timeout=limit)


def yosys(script, folder, limit=None):
    done = call(["yosys", "-q", "-p", script], folder, limit)
    if done.returncode:
        fail(f"yosys: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def all_in_one(text, module):
    """The module with its mutants, which reads the number of the one at work."""
    text = re.sub(rf",\s*{SELECT}\b(?=[^;]*\);)", "", text, count=1)
    text, inputs = re.subn(rf"\n\s*input \[15:0\] {SELECT};", "", text)
    text, wires = re.subn(
        rf"\n\s*wire \[15:0\] {SELECT};",
        f"\n  reg [15:0] {SELECT}_file [0:0];\n  initial $readmemh(\"fault.hex\", {SELECT}_file);\n"
        f"  wire [15:0] {SELECT} = {SELECT}_file[0];",
        text,
    )
    if (inputs, wires) != (1, 1):
        fail(f"{module}: yosys wrote no port {SELECT}")
    return "".join(f"/* verilator lint_off {w} */\n" for w in ("UNOPTFLAT", "WIDTH", "CASEOVERLAP", "LATCH")) + text


def arguments_of(sources, top, module, folder):
    """What the instances of a module with parameters give them: a dictionary each, of one without a single
    empty one."""
    text = (sources / f"{module}.v").read_text()
    if not re.search(rf"^module {module} #\(", text, re.MULTILINE):
        return [{}]
    files = " ".join(str(f) for f in sorted(sources.glob("*.v")))
    yosys(f"read_verilog {files}; hierarchy -top {top}; proc; write_json design.json", folder)
    design = json.loads((folder / "design.json").read_text())["modules"]
    found = []
    for name, made in design.items():
        if not (name.startswith("$paramod") and re.split(r"\\", name)[1] == module):
            continue
        values = made["parameter_default_values"]
        found.append({key: int(value, 2) for key, value in values.items()})
    if not found:
        fail(f"{top} has no instance of {module}")
    return sorted(found, key=lambda values: sorted(values.items()))


def under_one_name(sound, mutants, module, arguments, alone):
    """The mutants in the place of the module with these parameters; where there are instances with others,
    those are sound."""
    if not arguments:
        return mutants
    declared = ", ".join(f"parameter {key} = {value}" for key, value in arguments.items())
    if alone:
        return re.sub(rf"^module {module}\b", f"module {module} #({declared}) ", mutants, count=1, flags=re.MULTILINE)
    sound = re.sub(r"//[^\n]*", "", sound)
    head = re.search(rf"^module {module} .*?^\);", sound, re.MULTILINE | re.DOTALL)[0]
    head = head.replace("output reg", "output wire")
    ports = re.findall(r"^ *(?:input|output) +(?:wire|reg) *(?:\[.*?\] *)?(\w+)", head, re.MULTILINE)
    pins = ", ".join(f".{port}({port})" for port in ports)
    passed = ", ".join(f".{key}({key})" for key in arguments)
    here = " && ".join(f"{key} == {value}" for key, value in arguments.items())
    wrapper = (
        f"{head}\n  generate\n    if ({here}) begin : mutants\n      {module}_mutants only ({pins});\n"
        f"    end else begin : others\n      {module}_sound #({passed}) only ({pins});\n    end\n"
        "  endgenerate\nendmodule\n"
    )
    renamed = [
        re.sub(rf"^module {module}\b", f"module {module}_{name}", text, count=1, flags=re.MULTILINE)
        for text, name in ((mutants, "mutants"), (sound, "sound"))
    ]
    return "".join([*renamed, wrapper])


class Mutants:
    def __init__(self, options, module, sources, work, arguments, alone):
        self.options, self.module, self.work = options, module, work
        self.source = sources / f"{module}.v"
        words = ", ".join(f"{key}={value}" for key, value in arguments.items())
        self.name = f"{module} ({words})" if words else module
        self.set = "".join(f"chparam -set {key} {value} {module}; " for key, value in arguments.items())
        read = f"read_verilog {self.source}; {self.set}proc; "
        draw = f"mutate -list {{}} -seed {options.seed} -ctrl {SELECT} 16 1"
        # Outputs of instances cannot change.
        yosys(f"{read} {draw.format(3 * options.mutants)} -o drawn.txt {module}", work)
        drawn = [line for line in (work / "drawn.txt").read_text().splitlines() if re.search(r"-cell \$", line)]
        self.list = [
            re.sub(rf"-ctrl {SELECT} 16 \d+", f"-ctrl {SELECT} 16 {n + 1}", line)
            for n, line in enumerate(drawn[:: max(1, len(drawn) // options.mutants)][: options.mutants])
        ]
        (work / "list.txt").write_text("\n".join(self.list) + "\n")
        yosys(f"{read} script list.txt; pmuxtree; write_verilog -noattr mutants.v", work)
        mutants = all_in_one((work / "mutants.v").read_text(), module)
        sound = self.source.read_text()
        (work / f"{module}.v").write_text(under_one_name(sound, mutants, module, arguments, alone))

    def run(self, number, seed):
        (self.work / "fault.hex").write_text(f"{number:x}\n")
        settings = [word for s in self.options.settings for word in ("-s", s)]
        cycles = ["--random", self.options.cycles] if self.options.cycles else []
        argv = [self.options.l1forge, "cosim", self.options.unit, *settings, *cycles, "--seed", seed]
        done = call([*argv, "--verilog", f"{self.module}.v"], self.work)
        if done.returncode not in (0, 1) or (number == 0 and done.returncode):
            fail(f"{self.module}, mutant {number}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.returncode == 1

    def equivalent(self, number):
        """By the registers' inputs and the outputs, of any state."""
        change = re.sub(rf" -ctrl {SELECT} \d+ \d+", "", self.list[number - 1])
        side = "read_verilog {0}; " + self.set + "proc; {1} expose -evert {2}/c:*; expose -evert-dff {2}; "
        side += "opt_clean; rename {2} {3}; "
        script = side.format(self.source, "", self.module, "sound") + "design -stash sound; "
        script += side.format(self.source, change + ";", self.module, "faulty") + "design -stash faulty; "
        script += (
            "design -copy-from sound -as sound sound; design -copy-from faulty -as faulty faulty; "
            "miter -equiv -flatten -make_outputs sound faulty miter; hierarchy -top miter; "
            "sat -verify -prove trigger 0 -timeout 60 miter"
        )
        try:
            return call(["yosys", "-q", "-p", script], self.work, 120).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def measured(mutants, options):
    mutants.run(0, options.seed)
    numbers = range(1, len(mutants.list) + 1)
    alive = [n for n in numbers if not mutants.run(n, options.seed)]
    left = [n for n in alive if not mutants.equivalent(n)]
    later = [n for n in left if mutants.run(n, options.seed + 1)]
    left = [n for n in left if n not in later]
    row = {
        "unit": options.unit,
        "module": mutants.name,
        "mutants": len(mutants.list),
        "killed": len(mutants.list) - len(alive),
        "killed_by_another_seed": len(later),
        "equivalent": len(alive) - len(left) - len(later),
        "left": [mutants.list[n - 1] for n in left],
    }
    return row


def show(row):
    print(
        f"{row['module']}: {row['mutants']} mutants, {row['killed']} killed, {row['killed_by_another_seed']} more "
        f"by another seed, {row['equivalent']} equivalent, {len(row['left'])} left",
        flush=True,
    )
    for change in row["left"]:
        print("  " + change, flush=True)


def top_of(sources):
    manifest = next(sources.glob("*.json"))
    return json.loads(manifest.read_text())["top"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unit")
    parser.add_argument("--modules", nargs="+", required=True)
    parser.add_argument("-s", dest="settings", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--mutants", type=int, default=30)
    parser.add_argument("--cycles", type=int, help="of a random run; default: those of cosim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--l1forge", default=str(ROOT / "build/dev/l1forge"))
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rows = []
    for module in options.modules:
        with tempfile.TemporaryDirectory(prefix="other_mutants") as folder:
            work = pathlib.Path(folder)
            settings = [word for s in options.settings for word in ("-s", s)]
            made = call([options.l1forge, "gen", options.unit, *settings, "-o", work / "sources"], work)
            if made.returncode:
                fail(made.stderr)
            sources = work / "sources"
            if not (sources / f"{module}.v").exists():
                there = ", ".join(sorted(f.stem for f in sources.glob("*.v")))
                fail(f"{options.unit} has no module {module}: {there}")
            all_arguments = arguments_of(sources, top_of(sources), module, work)
            for arguments in all_arguments:
                alone = len(all_arguments) == 1
                rows.append(measured(Mutants(options, module, sources, work, arguments, alone), options))
                show(rows[-1])
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
