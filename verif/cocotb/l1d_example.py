"""Drives an l1d that `l1forge gen` has written from Python: loads, stores and flushes through cocotb and Icarus.

    python3 verif/cocotb/l1d_example.py build/cache     # the folder of `gen l1d -o build/cache`
"""

import json
import pathlib
import random
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.queue import Queue
from cocotb.triggers import RisingEdge

LINES, REQUESTS = 12, 300
LOAD, STORE = 0, 1


class Stream:
    """One ready/valid stream of the cache: a beat passes at an edge where both are high."""

    def __init__(self, dut, name):
        self.dut, self.name = dut, name

    def port(self, field):
        return getattr(self.dut, f"{self.name}_{field}")

    async def send(self, **fields):
        self.port("valid").value = 1
        for field, value in fields.items():
            self.port(field).value = value
        await RisingEdge(self.dut.clk)
        while not self.port("ready").value:
            await RisingEdge(self.dut.clk)
        self.port("valid").value = 0

    async def receive(self, *fields):
        """A beat, with `ready` up one cycle in two."""
        while True:
            self.port("ready").value = random.getrandbits(1)
            await RisingEdge(self.dut.clk)
            if self.port("valid").value and self.port("ready").value:
                self.port("ready").value = 0
                return {field: self.port(field).value for field in fields}


class Shape:
    """What the address, mask and data of a line look like."""

    def __init__(self, dut):
        self.chunks = len(dut.core_request_mask)
        self.line_bytes = len(dut.core_request_data) // 8
        self.chunk_bytes = self.line_bytes // self.chunks

    def bytes_of(self, mask):
        """One bit a byte where `mask` has one a chunk."""
        ones = (1 << self.chunk_bytes) - 1
        return sum(ones << (c * self.chunk_bytes) for c in range(self.chunks) if mask >> c & 1)

    def bits_of(self, byte_enable):
        return sum(0xFF << (8 * b) for b in range(self.line_bytes) if byte_enable >> b & 1)


def known(value, under):
    """A vector whose bits outside `under` may be anything, also X."""
    return int("".join(bit if bit in "01" else "0" for bit in value.binstr), 2) & under


async def memory(dut, shape, lines):
    """Takes a request, applies it, and answers it before it takes the next."""
    requests, answers = Stream(dut, "memory_request"), Stream(dut, "memory_response")
    while True:
        beat = await requests.receive("id", "kind", "address", "mask", "byte_enable", "data")
        line, mask = beat["address"].integer // shape.line_bytes, beat["mask"].integer
        if beat["kind"].integer == STORE:
            bits = shape.bits_of(beat["byte_enable"].integer)
            lines[line] = lines[line] & ~bits | known(beat["data"], bits)
            mask = 0
        await answers.send(id=beat["id"].integer, mask=mask, data=lines[line])


async def collect(dut, answers):
    responses = Stream(dut, "core_response")
    while True:
        beat = await responses.receive("id", "mask", "data")
        await answers.put(beat)


async def flush(dut):
    dut.flush_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.flush_ready.value:
        await RisingEdge(dut.clk)
    dut.flush_valid.value = 0


@cocotb.test()
async def loads_see_stores(dut):
    """Every load finds what the stores before it have left, through hits, misses and flushes."""
    shape = Shape(dut)
    lines = [random.getrandbits(8 * shape.line_bytes) for _ in range(LINES)]
    expected = list(lines)
    for stream in ("core_request", "memory_response", "flush"):
        getattr(dut, f"{stream}_valid").value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, units="step").start())
    for _ in range(2):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    answers = Queue()
    cocotb.start_soon(memory(dut, shape, lines))
    cocotb.start_soon(collect(dut, answers))

    requests = Stream(dut, "core_request")
    for number in range(REQUESTS):
        line = random.randrange(LINES)
        kind = STORE if random.random() < 0.3 else LOAD
        mask = random.randrange(1, 1 << shape.chunks)
        enable = shape.bytes_of(mask) & random.getrandbits(shape.line_bytes) if kind == STORE else 0
        data = random.getrandbits(8 * shape.line_bytes)
        await requests.send(id=number % 16, kind=kind, address=line * shape.line_bytes, mask=mask,
                            byte_enable=enable, data=data)
        answer = await answers.get()
        assert answer["id"].integer == number % 16
        if kind == STORE:
            bits = shape.bits_of(enable)
            expected[line] = expected[line] & ~bits | data & bits
            assert answer["mask"].integer == 0
        else:
            bits = shape.bits_of(shape.bytes_of(mask))
            assert answer["mask"].integer == mask
            assert known(answer["data"], bits) == expected[line] & bits, f"load {number} of line {line}"
        if number % 100 == 99:
            await flush(dut)
    assert lines == expected


def run(folder):
    """Builds what the folder's file list names and runs this file's tests on it."""
    from cocotb.runner import get_results, get_runner

    folder = pathlib.Path(folder).resolve()
    manifest = next(path for path in folder.glob("*.json"))
    top = json.loads(manifest.read_text())["top"]
    sources = [folder / name for name in (folder / f"{top}.f").read_text().split()]
    runner = get_runner("icarus")
    runner.build(verilog_sources=sources, hdl_toplevel=top, build_args=["-g2005"], build_dir=folder / "cocotb")
    results = runner.test(hdl_toplevel=top, test_module=pathlib.Path(__file__).stem, seed=1,
                          build_dir=folder / "cocotb", test_dir=folder / "cocotb")
    _, failed = get_results(results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    sys.exit(run(sys.argv[1]))
