"""Serves a list of requests, one after the other, with a cache's cycle model, and prints the cache's figures.

python requests.py UNIT LIST [KEY=VALUE]...: a line of the list is "L 10000080 f": kind, address and mask in hex.
Then generates the cache's Verilog into a temporary folder, and lets the generator explore the same list.
"""

import sys
import tempfile

import l1forge

KINDS = {"L": 0, "S": 1, "A": 2}


def serve(cache, kind, address, mask):
    """A memory that responds in the next cycle. Returns the cycles until nothing is under way."""
    request = dict(
        core_request_valid=True,
        core_request_kind=KINDS[kind],
        core_request_address=address,
        core_request_mask=mask,
    )
    response = {}
    cycles = 0
    answered = False
    while not answered or not cache.idle:
        out = cache.outputs(core_response_ready=True, memory_request_ready=True, **request, **response)
        cache.edge()
        cycles += 1
        answered |= out.core_response_valid
        if out.core_request_ready:
            request = {}
        if out.memory_response_ready:
            response = {}
        if out.memory_request_valid:
            store = out.memory_request_kind == KINDS["S"]
            response = dict(
                memory_response_valid=True,
                memory_response_id=out.memory_request_id,
                memory_response_mask=0 if store else out.memory_request_mask,
            )
    return cycles


def main(unit, requests, *settings):
    cache = l1forge.Cache(unit, settings)
    cycles = 0
    with open(requests, encoding="ascii") as lines:
        for line in lines:
            kind, address, mask = line.split()
            cycles += serve(cache, kind, int(address, 16), int(mask, 16))
    print("cycles", cycles)
    for name, value in cache.figures.items():
        print(name, value)

    explored = l1forge.explore(unit, requests=requests, settings=settings)["runs"][0]
    print("explored_hits", explored["hits"])
    with tempfile.TemporaryDirectory() as folder:
        print("verilog_files", sum(path.endswith(".v") for path in l1forge.generate(unit, settings, folder)))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except l1forge.Error as error:
        sys.exit(f"requests.py: {error}")
