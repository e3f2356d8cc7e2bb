// Stand-alone monitors on the probe ports of caches: each decides as the built-in one does.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/config/config.h"
#include "gen/cosim/port_list.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/unit/cosim_main.h"
#include "hw/l1d/adi_in_cache.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/mode_in_cache.h"
#include "hw/l1d/stream_params.h"
#include "hw/monitors/adi_monitor.h"
#include "hw/monitors/filter_dueling.h"
#include "hw/monitors/mode_selector.h"
#include "hw/rtl/module_data.h"
#include "verif/mutate/injected_faults.h"

namespace {

namespace fs = std::filesystem;
using rtl::Expr, rtl::lit, rtl::Pins;

// Caches side by side, cache k as instance c<k> with its ports under that prefix, and monitors on their
// probes.
class Wrapper {
 public:
  explicit Wrapper(const std::string& name) : m(name, "Caches and monitors beside them.") {}

  // `controls` are what is wired to its control inputs.
  void add_cache(const hw::L1dParams& p, Pins controls = {}) {
    const std::string name = fmt::format("c{}", caches_);
    const rtl::Module cache = hw::l1d(p, fmt::format("{}_cache{}", m.name(), caches_++)).module;
    Pins pins = std::move(controls);
    for (const hw::StreamRow& stream : hw::cache_streams) {
      const std::string port(stream.name);
      append(pins, rtl::pass_on(m, rtl::stream_of(cache, port), name + "_" + port));
    }
    for (const rtl::Signal& s : rtl::other_ports(cache)) {
      if (std::ranges::find(pins, s.name, &Pins::value_type::first) != pins.end()) continue;
      const std::string outer = name + "_" + s.name;
      pins.emplace_back(s.name, s.role == rtl::Role::input ? m.input(outer, s.width, s.doc)
                                                           : m.output(outer, s.width, s.doc));
      if (s.name.starts_with("probe_")) probes_[outer] = pins.back().second;
    }
    m.instance(cache, name, pins, "A cache.");
  }

  // Pins <prefix>... of the monitor: the probe of cache k.
  Pins probe(const rtl::Module& monitor, int k, const std::string& prefix = "probe_") const {
    Pins pins;
    for (const rtl::Signal& s : rtl::other_ports(monitor))
      if (s.name.starts_with(prefix))
        pins.emplace_back(s.name, probes_.at(fmt::format("c{}_probe_{}", k, s.name.substr(prefix.size()))));
    return pins;
  }

  static void append(Pins& to, const Pins& more) { to.insert(to.end(), more.begin(), more.end()); }

  rtl::Module m;

 private:
  int caches_ = 0;
  std::map<std::string, Expr> probes_;
};

hw::L1dParams cache_of(const std::string& preset, std::vector<std::string> settings) {
  settings.push_back("probe.ports=true");
  return gen::load_config(preset, settings).get<hw::L1dParams>();
}

// Replaces the value that a wire has in the wrapper by one from inside a cache.
using Inside = std::map<std::string, std::string>;

struct Wired {
  rtl::Module top;
  std::string monitors;  // the type of wired_bench.h that says what they decide
  Inside inside = {};
};

// The program of the lock step, with faults that its runs choose from.
fs::path program_of(const Wired& wired, std::span<const verif::Fault> faults) {
  const std::string& name = wired.top.name();
  gen::ProgramSource source{.name = name, .top = name};
  for (const auto& [module, text] : verif::texts_of(wired.top)) source.verilog[module + ".v"] = text;
  verif::inject_all(source.verilog, wired.top, faults);
  std::string& text = source.verilog[name + ".v"];
  for (const auto& [from, to] : wired.inside) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(fmt::format("{}: no '{}'", name, from));
    text.replace(at, from.size(), to);
  }
  source.main = fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"Vdut.h\"\n#include \"verif/l1d/wired_bench.h\"\n\n"
      "namespace {{\n{}using Monitors = {};\n"
      "void add_probes(Vdut&, verif::Waves&) {{}}\n"
      "int run(const verif::CosimOptions& o) {{\n  return verif::conclude(o, verif::CycleCosim<Vdut, "
      "verif::WiredBench<Vdut, Ports, Monitors>>(o, 100'000, add_probes).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      gen::port_list(wired.top), wired.monitors);
  return gen::build_program(source);
}

// The monitors decide alike, and do not when this pin of theirs is wired wrongly.
void expect_alike(const Wired& wired, const std::string& pin, verif::Change becomes) {
  const std::array faults{verif::Fault{"a probe wired wrongly", "", pin, "", std::move(becomes)}};
  const fs::path program = program_of(wired, faults);
  const gen::TempDir work("wired");
  const nlohmann::json options{{"top", wired.top.name()},
                               {"random_cycles", 100'000},
                               {"seed", 7},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  for (const int fault : {0, 1}) {
    gen::write_file_atomically(work / verif::fault_file, fmt::format("{}\n", fault));
    const auto done =
        gen::run({.argv = {program.string(), (work / "options.json").string()}, .folder = work.path()});
    EXPECT_EQ(done.status, fault) << done.output;
    if (fault == 0) fmt::print("{}", done.output);
  }
}

TEST(WiredMonitors, ModeSelectorDecidesAsTheBuiltInOne) {
  const auto own = cache_of("l1d_tsc_plus", {"mode.threshold=16"});
  const auto follows = cache_of("l1d_tsc_plus", {"mode.threshold=16", "mode.follow=true"});
  Wrapper w("wired_mode_selectors");
  const auto selector = hw::mode_selector(hw::selector_params(own), "wired_mode_selector");
  const Expr driving = w.m.output("driving", 1, "mode of cache 1");
  const Expr beside = w.m.output("beside", 1, "mode as the selector beside cache 0 has it");
  w.add_cache(own);
  w.add_cache(follows, {{"mode_coarse", driving}});
  for (const auto& [cache, mode] : {std::pair{0, beside}, {1, driving}}) {
    Pins pins = w.probe(selector, cache);
    pins.emplace_back("mode_coarse", mode);
    w.m.instance(selector, fmt::format("selector{}", cache), pins, "A selector.");
  }
  const std::string monitors = fmt::format(
      "verif::WiredModeSelectors<{}, {}, {}>", gen::cpp_params("L1dParams", own),
      gen::cpp_params("L1dParams", follows), gen::cpp_params("ModeSelectorParams", hw::selector_params(own)));
  expect_alike({w.m, monitors}, "selector0.probe_miss", verif::inverted());
}

TEST(WiredMonitors, FilterDuelingDrivesTheCacheThatFollows) {
  const auto follows = cache_of("l1d_reuse_filter", {"tags.reuse_filter.follow=true"});
  const hw::FilterDuelingParams duel{
      .address_bits = follows.address_bits, .line_bytes = follows.line_bytes, .interval = 256};
  Wrapper w("wired_filter_dueling");
  const auto unit = hw::filter_dueling(duel, "wired_dueling").module;
  const Expr enable = w.m.output("filter_enable", 1, "what the unit decides");
  w.add_cache(follows, {{"filter_enable", lit(1, 1)}});
  w.add_cache(follows, {{"filter_enable", lit(1, 0)}});
  w.add_cache(follows, {{"filter_enable", enable}});
  Pins pins{{"filter_enable", enable}};
  for (const int k : {0, 1}) Wrapper::append(pins, w.probe(unit, k, fmt::format("probe{}_", k)));
  w.m.instance(unit, "dueling", pins, "Compares caches 0 and 1.");
  const std::string monitors =
      fmt::format("verif::WiredDueling<{}, {}>", gen::cpp_params("L1dParams", follows),
                  gen::cpp_params("FilterDuelingParams", duel));
  expect_alike({w.m, monitors}, "dueling.probe1_miss", verif::other("c0_probe_miss"));
}

// The cache's own monitor flushes at once, the one beside it when the cache does.
TEST(WiredMonitors, AdiMonitorMovesTheBitsThatTheBuiltInOneMoves) {
  const auto own = cache_of("l1d_adi", {"adaptive.period=64", "adaptive.idle=256"});
  Wrapper w("wired_adi_monitor");
  const auto monitor = hw::adi_monitor(hw::monitor_params(own), "wired_monitor").module;
  w.add_cache(own);
  const Expr flushes = w.m.output("flushes", 1, "the cache's own monitor moves its bits");
  Pins pins = w.probe(monitor, 0);
  pins.emplace_back("flush_ready", flushes);
  pins.emplace_back("flush_valid", w.m.output("wants_flush", 1, "the monitor beside it wants to"));
  std::vector<Expr> sels;
  std::string built_in;
  for (const rtl::Signal& s : rtl::other_ports(monitor)) {
    if (!s.name.starts_with("sel")) continue;
    sels.push_back(w.m.wire(s.name, s.width, s.doc));
    pins.emplace_back(s.name, sels.back());
    built_in += (built_in.empty() ? "c0.monitor." : ", c0.monitor.") + s.name;
  }
  w.m.instance(monitor, "beside", pins, "The monitor beside the cache.");
  const Expr bits = rtl::cat(sels);
  w.m.assign(w.m.output("beside_sel", bits.width(), "its address bits"), bits);
  w.m.assign(w.m.output("built_in_sel", bits.width(), "those of the cache's own"), lit(bits.width(), 0));
  w.m.assign(flushes, lit(1, 0));
  const std::string zero = fmt::format("assign built_in_sel = {}'h0;", bits.width());
  expect_alike({w.m,
                fmt::format("verif::WiredAdiMonitor<{}>", gen::cpp_params("L1dParams", own)),
                {{zero, fmt::format("assign built_in_sel = {{{}}};", built_in)},
                 {"assign flushes = 1'd0;", "assign flushes = c0.monitor.flush_valid;"}}},
               "beside.probe_miss", verif::inverted());
}

}  // namespace
