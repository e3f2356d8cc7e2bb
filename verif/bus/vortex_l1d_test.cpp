// An adapter and `l1d_gpu` in one Verilated module between the buses of a core and of a memory: random and
// recorded requests, every loaded byte.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gen/config/config.h"
#include "gen/cosim/port_list.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "gen/unit/cosim_main.h"
#include "hw/bus/vortex_adapter.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/stream_params.h"
#include "hw/rtl/module_data.h"
#include "verif/full_tier.h"
#include "verif/mutate/injected_faults.h"

namespace {

using rtl::Pins;

// That of the recordings: lines of 128 bytes, tags of 8 bits, 32 requests.
std::vector<std::string> recorded_shape(int lanes) {
  return {fmt::format("client.lanes={}", lanes), "geometry.line_bytes=128", "client.tag_bits=8",
          "client.memory_tag_bits=5", "client.requests=32"};
}

// Both, the buses outside.
rtl::Module wired(const hw::VortexAdapterParams& p, const hw::L1dParams& cache_params) {
  rtl::Module m("bus_l1d", "A cache behind the bus of a core.");
  const rtl::Module adapter = hw::vortex_adapter(p, "bus_l1d_adapter");
  const rtl::Module cache = hw::l1d(cache_params, "bus_l1d_cache").module;
  Pins adapter_pins, cache_pins;
  const auto add = [](Pins& to, const Pins& more) { to.insert(to.end(), more.begin(), more.end()); };
  for (const char* bus : {"bus_request", "bus_response", "memory_bus_request", "memory_bus_response"})
    add(adapter_pins, rtl::pass_on(m, rtl::stream_of(adapter, bus)));
  for (const hw::StreamRow& stream : hw::cache_streams) {
    const Pins wires = rtl::wires_between(m, rtl::stream_of(cache, std::string(stream.name)));
    add(adapter_pins, wires);
    add(cache_pins, wires);
  }
  const auto ports = rtl::other_ports(adapter);
  for (const rtl::Signal& s : rtl::other_ports(cache)) {
    const rtl::Expr wire = m.wire(s.name, s.width, s.doc);
    cache_pins.emplace_back(s.name, wire);
    if (std::ranges::find(ports, s.name, &rtl::Signal::name) == ports.end())
      m.unused("unused_" + s.name, wire, "not for the adapter");
    else
      adapter_pins.emplace_back(s.name, wire);
  }
  for (const rtl::Signal& s : ports)
    if (s.name.ends_with("_count")) adapter_pins.push_back(rtl::pass_on(m, s));
  m.instance(adapter, "adapter", adapter_pins, "The adapter.");
  m.instance(cache, "cache", cache_pins, "The cache.");
  return m;
}

struct Played {
  int status = -1;
  std::string output = {};
};

Played play(int lanes, const nlohmann::json& what, const verif::Fault* fault = nullptr, int hit_latency = 2) {
  const auto p = gen::load_config("vortex_adapter", recorded_shape(lanes)).get<hw::VortexAdapterParams>();
  const auto cache = gen::load_config("l1d_gpu", {"probe.ports=true", "geometry.capacity_bytes=4096",
                                                  fmt::format("core.hit_latency={}", hit_latency)})
                         .get<hw::L1dParams>();
  const rtl::Module top = wired(p, cache);
  gen::ProgramSource source{
      .name = top.name(), .top = top.name(), .lint = !fault, .runs_long = verif::full_tier()};
  for (const auto& [module, text] : verif::texts_of(top, fault)) source.verilog[module + ".v"] = text;
  source.main = fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"Vdut.h\"\n"
      "#include \"cosim/bus/bus_bench.h\"\n\nnamespace {{\n"
      "constexpr hw::VortexAdapterParams params =\n    {};\n{}"
      "int run(const verif::CosimOptions& o) {{\n  return verif::conclude(o, verif::BusBench<Vdut, params, "
      "Ports>(o).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      gen::cpp_params("VortexAdapterParams", p), gen::port_list(top));
  const gen::TempDir work("bus_l1d");
  nlohmann::json options{{"top", top.name()}, {"seed", 7}, {"report", (work / "report.json").string()}};
  options.update(what);
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
  return {done.status, done.output};
}

std::vector<std::string> recordings(int lanes) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(gen::paths::source() / "verif/traffic")) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(fmt::format("vortex{}_", lanes)) || !name.ends_with(".txt.xz")) continue;
    if (verif::full_tier() || name.ends_with("_basic.txt.xz")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void expect_right(int lanes, int hit_latency = 2) {
  const Played random =
      play(lanes, {{"random_cycles", verif::full_tier() ? 2'000'000 : 60'000}}, nullptr, hit_latency);
  EXPECT_EQ(random.status, 0) << random.output;
  const Played recorded = play(lanes, {{"replays", recordings(lanes)}}, nullptr, hit_latency);
  EXPECT_EQ(recorded.status, 0) << recorded.output;
  fmt::print("{}{}", random.output, recorded.output);
}

TEST(VortexL1d, EveryByteAtEightLanes) { expect_right(8); }

TEST(VortexL1d, EveryByteOfHitsInOneCycle) {
  expect_right(8, 1);
  if (verif::full_tier()) expect_right(32, 1);
}

TEST(VortexL1d, EveryByteAtThirtyTwoLanes) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_right(32);
}

// What only cache and adapter together show: a fence that does not flush, a mask that is not passed on.
TEST(VortexL1d, InjectedFaultsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const verif::Fault& fault :
       {verif::Fault{"fences_do_not_flush", "", "cache.flush_valid", "", verif::low()},
        verif::Fault{"stores_that_update_nothing", "", "cache.core_request_byte_enable", "", verif::low()},
        verif::Fault{"half_a_mask_to_memory", "_memory", "reads", "memory_request_mask", verif::stuck(7)}}) {
    const Played played = play(8, {{"random_cycles", 60'000}}, &fault);
    EXPECT_EQ(played.status, 1) << fault.what << "\n" << played.output;
  }
}

}  // namespace
