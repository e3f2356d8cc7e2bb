// An adapter of a core's bus and an `l1d` in one Verilated module between the bus and a memory, driven by a
// bench of that bus.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/config/config.h"
#include "gen/cosim/port_list.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/unit/cosim_main.h"
#include "hw/l1d/l1d.h"
#include "hw/rtl/module_data.h"
#include "verif/full_tier.h"
#include "verif/mutate/injected_faults.h"

namespace verif {

// `channels` are the streams of the bus; ports of the adapter that belong to no stream are the bus's, too.
template <class Params>
struct BusAdapter {
  std::string preset, params, header, bench;
  std::vector<std::string> channels;
  rtl::Module (*make)(const Params&, const std::string& name);
};

// Both, the bus and the cache's memory side outside.
template <class Params>
rtl::Module adapter_and_l1d(const BusAdapter<Params>& bus, const Params& p, const hw::L1dParams& c) {
  const std::string name = bus.preset + "_l1d";
  rtl::Module m(name, "A cache behind a bus.");
  const rtl::Module adapter = bus.make(p, name + "_adapter"), cache = hw::l1d(c, name + "_cache").module;
  rtl::Pins adapter_pins, cache_pins;
  const auto add = [](rtl::Pins& to, const rtl::Pins& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const std::string& channel : bus.channels)
    add(adapter_pins, rtl::pass_on(m, rtl::stream_of(adapter, channel)));
  for (const rtl::Signal& s : rtl::other_ports(adapter)) adapter_pins.push_back(rtl::pass_on(m, s));
  for (const char* stream : {"core_request", "core_response"}) {
    const rtl::Pins wires = rtl::wires_between(m, rtl::stream_of(cache, stream));
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

// A run of the bench; without a fault all its goals must be reached.
template <class Params>
gen::Finished play_behind(const BusAdapter<Params>& bus, const std::vector<std::string>& settings,
                          const Fault* fault = nullptr, int hit_latency = 2) {
  const auto p = gen::load_config(bus.preset, settings).template get<Params>();
  const auto c = gen::load_config("l1d_gpu", {"geometry.capacity_bytes=4096",
                                              fmt::format("core.hit_latency={}", hit_latency)})
                     .get<hw::L1dParams>();
  const rtl::Module top = adapter_and_l1d(bus, p, c);
  gen::ProgramSource source{.name = top.name(), .top = top.name(), .lint = !fault, .runs_long = full_tier()};
  for (const auto& [module, text] : texts_of(top, fault)) source.verilog[module + ".v"] = text;
  source.main = fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"Vdut.h\"\n#include \"{}\"\n\nnamespace {{\n"
      "constexpr hw::{} params =\n    {};\nconstexpr hw::L1dParams cache =\n    {};\n{}"
      "int run(const verif::CosimOptions& o) {{\n  return verif::conclude(o, verif::{}<Vdut, params, cache, "
      "Ports>(o).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      bus.header, bus.params, gen::cpp_params(bus.params, p), gen::cpp_params("L1dParams", c),
      gen::port_list(top), bus.bench);
  const gen::TempDir work(top.name());
  const nlohmann::json options{{"top", top.name()},
                               {"seed", 7},
                               {"coverage", !fault},
                               {"random_cycles", full_tier() && !fault ? 1'000'000 : 40'000},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  return gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
}

template <class Params>
void expect_every_byte(const BusAdapter<Params>& bus, const std::vector<std::string>& settings,
                       int hit_latency = 2) {
  const gen::Finished played = play_behind(bus, settings, nullptr, hit_latency);
  EXPECT_EQ(played.status, 0) << played.output;
  fmt::print("{}", played.output);
}

// What only cache and adapter together show.
template <class Params>
void expect_faults_between_found(const BusAdapter<Params>& bus) {
  for (const Fault& fault : {Fault{"stores_write_nothing", "", "cache.core_request_byte_enable", "", low()},
                             Fault{"loads_of_the_first_sector", "", "cache.core_request_mask", "", stuck(1)},
                             Fault{"answers_are_never_taken", "", "cache.core_response_ready", "", low()}}) {
    const gen::Finished played = play_behind(bus, {}, &fault);
    EXPECT_EQ(played.status, 1) << fault.what << "\n" << played.output;
  }
}

}  // namespace verif
