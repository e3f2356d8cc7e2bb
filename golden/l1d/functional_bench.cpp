#include "golden/l1d/functional_bench.h"

#include <algorithm>
#include <ctime>
#include <random>

#include "golden/cache/functional_l1d.h"

namespace golden {
namespace {

constexpr size_t requests = 1 << 16;
constexpr int rounds = 5;

// The best of some rounds: others may run on the machine.
template <class Address>
FunctionalSpeed measure(std::string_view pattern, const hw::L1dParams& params, int repeats, Address address) {
  std::vector<Request> stream(requests);
  for (size_t i = 0; i < requests; ++i)
    stream[i] = {.kind = RequestKind::load,
                 .mask = 1u << i % static_cast<size_t>(hw::chunks_of_line(params)),
                 .address = 0x10000000 + address(i)};
  const auto cache = FunctionalL1d::make(params);
  std::clock_t best = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t start = std::clock();
    for (int i = 0; i < repeats; ++i) cache->access(stream, nullptr);
    const std::clock_t spent = std::clock() - start;
    best = round ? std::min(best, spent) : spent;
  }
  const auto& counted = cache->counters();
  return {pattern, double(requests) * repeats * CLOCKS_PER_SEC / double(std::max<std::clock_t>(best, 1)),
          double(counted.hits) / double(counted.loads)};
}

}  // namespace

std::array<FunctionalSpeed, 3> functional_speed(const hw::L1dParams& params, int repeats) {
  std::mt19937_64 draw(1);
  const auto line = static_cast<std::uint64_t>(params.line_bytes);
  return {measure("streaming", params, repeats, [&](std::uint64_t i) { return i * line; }),
          measure("random in 64 KB", params, repeats, [&](std::uint64_t) { return draw() % 65536; }),
          measure("8 lines, stride 4 KB", params, repeats, [](std::uint64_t i) { return i % 8 * 4096; })};
}

}  // namespace golden
