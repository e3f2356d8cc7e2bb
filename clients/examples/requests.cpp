// Serves a list of requests, one after the other, with the C++ model of a cache, and prints the cache's
// figures: requests_cpp LIST. A line of the list is "L 10000080 f": kind, address and mask in hex.
#include <golden/l1d/cycle_l1d.h>

#include <fstream>
#include <iostream>
#include <memory>

namespace {

// l1d_sectored -s geometry.ways=8 -s index.kind=pli. Models take parameters as legal; the repository's
// `l1forge gen` checks them.
hw::L1dParams parameters() {
  hw::L1dParams p;
  p.ways = 8;
  p.tags = hw::TagKind::sectored;
  p.index = {.kind = hw::IndexKind::pli,
             .address_bits = p.address_bits,
             .line_bytes = p.line_bytes,
             .sets = hw::sets_of(p)};
  return p;
}

// A memory that responds in the next cycle. Returns the cycles until nothing is under way.
std::uint64_t serve(golden::CycleL1d& cache, const golden::Request& request) {
  golden::L1dIn in;
  in.core_request_valid = in.core_response_ready = in.memory_request_ready = true;
  in.core_request_kind = request.kind;
  in.core_request_address = request.address;
  in.core_request_mask = request.mask;
  std::uint64_t cycles = 0;
  for (bool answered = false; !answered || !cache.idle(); ++cycles) {
    const golden::L1dOut out = cache.outputs(in);
    cache.edge(in);
    answered |= out.core_response_valid;
    if (out.core_request_ready) in.core_request_valid = false;
    if (out.memory_response_ready) in.memory_response_valid = false;
    if (!out.memory_request_valid) continue;
    in.memory_response_valid = true;
    in.memory_response_id = out.memory_request_id;
    const bool store = out.memory_request_kind == golden::RequestKind::store;
    in.memory_response_mask = store ? 0 : out.memory_request_mask;
  }
  return cycles;
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream list(argc > 1 ? argv[1] : "");
  if (!list) return 2;
  const std::unique_ptr<golden::CycleL1d> cache = golden::CycleL1d::make(parameters(), false);
  std::uint64_t cycles = 0;
  golden::Request request;
  for (char kind; list >> kind >> std::hex >> request.address >> request.mask;) {
    using enum golden::RequestKind;
    request.kind = kind == 'L' ? load : kind == 'S' ? store : atomic;
    cycles += serve(*cache, request);
  }
  std::cout << "cycles " << cycles << '\n';
  for (const auto& [name, counter] : golden::counter_names)
    std::cout << name << ' ' << cache->counters().*counter << '\n';
}
