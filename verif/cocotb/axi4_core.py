"""An axi4_adapter and an l1d between the AXI4 master and the memory of cocotbext-axi: every byte, and AXI4's own rules
as that package has them.

    l1forge gen axi4_adapter -o build/axi4/adapter
    l1forge gen l1d_sectored -s geometry.capacity_bytes=4096 -s memory.protocol=axi4 -o build/axi4/cache
    python3 verif/cocotb/axi4_core.py build/axi4
"""

import itertools
import logging
import pathlib
import random
import sys

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Combine, RisingEdge
from cocotbext.axi import AxiBus, AxiBurstType, AxiMaster, AxiRam, AxiResp

BYTES, CACHEABLE = 0x4000, 0b1111


def pauses(rate):
    """A channel that rests in one cycle of `rate`."""
    return itertools.cycle([random.randrange(rate) == 0 for _ in range(997)])


async def start(dut):
    """Master, memory and what they know of it, after a reset."""
    dut.flush_valid.value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, units="step").start())
    logging.getLogger("cocotb.axi4_core_top").setLevel(logging.WARNING)
    master = AxiMaster(AxiBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
    memory = AxiRam(AxiBus.from_prefix(dut, "axi"), dut.clk, dut.rst, size=BYTES)
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    expected = bytearray(random.getrandbits(8) for _ in range(BYTES))
    memory.write(0, bytes(expected))
    return master, memory, expected


def rest(master, memory):
    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                    master.read_if.ar_channel, master.read_if.r_channel, memory.write_if.aw_channel,
                    memory.write_if.w_channel, memory.write_if.b_channel, memory.read_if.ar_channel,
                    memory.read_if.r_channel):
        channel.set_pause_generator(pauses(random.choice((2, 3, 8, 40))))


def place(most):
    """Any bytes, many of few lines."""
    length = random.choice((1, 4, 32, 64, random.randrange(1, most)))
    return random.randrange(random.choice((1024, 8192, BYTES)) - length), length


async def flush(dut):
    dut.flush_valid.value = 1
    await RisingEdge(dut.clk)
    while not dut.flush_ready.value:
        await RisingEdge(dut.clk)
    dut.flush_valid.value = 0


@cocotb.test(timeout_time=2_000_000, timeout_unit="step")
async def one_at_a_time(dut):
    """Reads and writes of any address, length and size of a beat, each awaited."""
    master, memory, expected = await start(dut)
    for number in range(120):
        address, length = place(700)
        size = random.randrange(6)
        cache = CACHEABLE
        if random.random() < 0.4:
            data = bytes(random.getrandbits(8) for _ in range(length))
            done = await master.write(address, data, size=size, cache=cache)
            assert done.resp == AxiResp.OKAY
            expected[address:address + length] = data
        else:
            read = await master.read(address, length, size=size, cache=cache)
            assert read.resp == AxiResp.OKAY
            assert bytes(read.data) == bytes(expected[address:address + length]), f"{length} bytes at {address:#x}"
        if number == 50:
            rest(master, memory)
        if number % 40 == 39:
            await flush(dut)
    assert memory.read(0, BYTES) == bytes(expected)


@cocotb.test(timeout_time=2_000_000, timeout_unit="step")
async def many_at_a_time(dut):
    """Sixteen writes to parts of their own, then forty reads, all under way together."""
    master, memory, expected = await start(dut)
    for turn in range(4):
        if turn == 2:
            rest(master, memory)
        part = BYTES // 16
        writes = []
        for number in range(16):
            length = random.randrange(1, 300)
            address = number * part + random.randrange(part - length)
            data = bytes(random.getrandbits(8) for _ in range(length))
            expected[address:address + length] = data
            writes.append(cocotb.start_soon(master.write(address, data, cache=CACHEABLE)))
        await Combine(*writes)
        reads = []
        for _ in range(40):
            address, length = place(300)
            reads.append((address, length, cocotb.start_soon(master.read(address, length, cache=CACHEABLE))))
        for address, length, task in reads:
            read = await task
            assert bytes(read.data) == bytes(expected[address:address + length]), f"{length} bytes at {address:#x}"


@cocotb.test(timeout_time=2_000_000, timeout_unit="step")
async def past_the_cache(dut):
    """What is not cacheable reads the memory, also where it changed behind the cache's back."""
    master, memory, expected = await start(dut)
    for _ in range(60):
        address, length = place(100)
        data = bytes(random.getrandbits(8) for _ in range(length))
        memory.write(address, data)
        read = await master.read(address, length, cache=0b0011)
        assert bytes(read.data) == data
        fixed = await master.write(address & ~31, data[:1], burst=AxiBurstType.FIXED, size=0, cache=0b0000)
        assert fixed.resp == AxiResp.OKAY
        assert memory.read(address & ~31, 1) == data[:1]


def run(folder):
    """Builds what the file lists of its folders name, and runs this file's tests on it."""
    from cocotb.runner import get_results, get_runner

    folder = pathlib.Path(folder).resolve()
    here = pathlib.Path(__file__)
    # Shared modules of one name are the same.
    modules = {name: files.parent / name for files in folder.glob("*/*.f") for name in files.read_text().split()}
    sources = [modules[name] for name in sorted(modules)] + [here.with_name("axi4_core_top.v")]
    runner = get_runner("icarus")
    runner.build(verilog_sources=sources, hdl_toplevel="axi4_core_top", build_args=["-g2005"],
                 build_dir=folder / "cocotb")
    results = runner.test(hdl_toplevel="axi4_core_top", test_module=here.stem, seed=1, build_dir=folder / "cocotb",
                          test_dir=folder / "cocotb")
    _, failed = get_results(results)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    sys.exit(run(sys.argv[1]))
