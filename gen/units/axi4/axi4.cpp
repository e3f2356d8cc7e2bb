#include "gen/units/axi4/axi4.h"

#include <fmt/format.h>

#include "gen/units/bench_main.h"
#include "hw/axi4/axi4_bridge.h"

namespace gen {
Unit elaborate(const hw::Axi4BridgeParams& p, const std::string& top) {
  return {.top = hw::axi4_bridge(p, top),
          .latency = 1,
          .facts = {{"axi_data_bits", 8 * hw::beat_bytes(p)},
                    {"axi_id_bits", hw::axi_id_bits(p)},
                    {"order", "requests of one line take effect in the order in which they were accepted"}}};
}

std::string replay_refusal(const hw::Axi4BridgeParams&) {
  return "stands below a cache: recorded traffic enters above one; use --random";
}

std::string cosim_main(const hw::Axi4BridgeParams& p, const std::string& probes) {
  return bench_main("axi4/axi4_cosim.h", "Axi4Bench", "Axi4BridgeParams", cpp_params(p), 300'000, probes);
}

std::string axi4_l1d_main(const std::string& params, const std::string& probes) {
  return bench_main("axi4/axi4_l1d_cosim.h", "Axi4L1dBench", "L1dParams", params, 300'000, probes);
}

std::vector<AreaRequest> plain_forms(const hw::Axi4BridgeParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::Axi4BridgeParams& p) {
  return fmt::format(
      "{{.address_bits = {}, .line_bytes = {}, .chunk_bytes = {}, .id_bits = {}, .requests = {}}}",
      p.address_bits, p.line_bytes, p.chunk_bytes, p.id_bits, p.requests);
}

}  // namespace gen
