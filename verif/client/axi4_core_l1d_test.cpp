// A AXI4 adapter and an `l1d` in one Verilated module between the bus of a core and a memory: random
// bursts, every byte that is read.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/config/config.h"
#include "gen/cosim/port_list.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/unit/cosim_main.h"
#include "hw/client/axi4_adapter.h"
#include "hw/l1d/l1d.h"
#include "hw/rtl/module_data.h"
#include "verif/full_tier.h"
#include "verif/mutate/injected_faults.h"

namespace {

using rtl::Pins;

// Both, the bus and the cache's memory side outside.
rtl::Module axi4_core_l1d(const hw::Axi4AdapterParams& p, const hw::L1dParams& cache_params) {
  rtl::Module m("axi4_core_l1d", "A cache behind an AXI4 bus.");
  const rtl::Module adapter = hw::axi4_adapter(p, "axi4_core_l1d_adapter");
  const rtl::Module cache = hw::l1d(cache_params, "axi4_core_l1d_cache").module;
  Pins adapter_pins, cache_pins;
  const auto add = [](Pins& to, const Pins& more) { to.insert(to.end(), more.begin(), more.end()); };
  for (const rtl::Signal& s : rtl::other_ports(adapter)) adapter_pins.push_back(rtl::pass_on(m, s));
  for (const char* stream : {"core_request", "core_response"}) {
    const Pins wires = rtl::wires_between(m, rtl::stream_of(cache, stream));
    add(adapter_pins, wires);
    add(cache_pins, wires);
  }
  for (const char* stream : {"memory_request", "memory_response"})
    add(cache_pins, rtl::pass_on(m, rtl::stream_of(cache, stream)));
  for (const rtl::Signal& s : rtl::other_ports(cache)) cache_pins.push_back(rtl::pass_on(m, s));
  m.instance(adapter, "adapter", adapter_pins, "The adapter.");
  m.instance(cache, "cache", cache_pins, "The cache.");
  return m;
}

struct Axi4Played {
  int status = -1;
  std::string output = {};
};

Axi4Played play_axi4(const std::vector<std::string>& settings, const verif::Fault* fault = nullptr) {
  const auto p = gen::load_config("axi4_adapter", settings).get<hw::Axi4AdapterParams>();
  const auto c = gen::load_config("l1d_gpu", {"geometry.capacity_bytes=4096"}).get<hw::L1dParams>();
  const rtl::Module top = axi4_core_l1d(p, c);
  gen::ProgramSource source{
      .name = top.name(), .top = top.name(), .lint = !fault, .runs_long = verif::full_tier()};
  for (const auto& [module, text] : verif::texts_of(top, fault)) source.verilog[module + ".v"] = text;
  source.main = fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"Vdut.h\"\n"
      "#include \"cosim/client/axi4_core_bench.h\"\n\nnamespace {{\n"
      "constexpr hw::Axi4AdapterParams params =\n    {};\nconstexpr hw::L1dParams cache =\n    {};\n{}"
      "int run(const verif::CosimOptions& o) {{\n  return verif::conclude(o, verif::Axi4CoreBench<Vdut, "
      "params, cache, Ports>(o).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      gen::cpp_params("Axi4AdapterParams", p), gen::cpp_params("L1dParams", c), gen::port_list(top));
  const gen::TempDir work("axi4_core_l1d");
  const nlohmann::json options{{"top", top.name()},
                               {"seed", 7},
                               {"coverage", !fault},
                               {"random_cycles", verif::full_tier() && !fault ? 1'000'000 : 40'000},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
  return {done.status, done.output};
}

void expect_every_byte(const std::vector<std::string>& settings) {
  const Axi4Played played = play_axi4(settings);
  EXPECT_EQ(played.status, 0) << played.output;
  fmt::print("{}", played.output);
}

TEST(Axi4CoreL1d, EveryByteAt32Bytes) { expect_every_byte({}); }

TEST(Axi4CoreL1d, EveryByteOfNarrowAndWideBuses) {
  if (!verif::full_tier()) GTEST_SKIP() << "in the full tests";
  for (const char* bytes : {"4", "8", "16", "64"})
    expect_every_byte({std::string("s_axi.data_bytes=") + bytes, "s_axi.cacheable=attributes"});
}

// What only cache and adapter together show.
TEST(Axi4CoreL1d, InjectedFaultsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << "in the full tests";
  for (const verif::Fault& fault :
       {verif::Fault{"stores_write_nothing", "", "cache.core_request_byte_enable", "", verif::low()},
        verif::Fault{"loads_of_the_first_sector", "", "cache.core_request_mask", "", verif::stuck(1)},
        verif::Fault{"answers_are_never_taken", "", "cache.core_response_ready", "", verif::low()}}) {
    const Axi4Played played = play_axi4({}, &fault);
    EXPECT_EQ(played.status, 1) << fault.what << "\n" << played.output;
  }
}

}  // namespace
