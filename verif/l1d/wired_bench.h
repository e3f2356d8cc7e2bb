// Lock step of a wrapper of caches and stand-alone monitors (wired_monitors_test.cpp): each cache with its
// model, and the monitors by what the test says of them.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/l1d/l1d_compare.h"
#include "cosim/l1d/l1d_port_map.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/monitors/filter_dueling.h"
#include "golden/monitors/mode_selector.h"
#include "verif/l1d/wired_traffic.h"

namespace verif {

// Ports of cache k are c<k>_<port>.
template <std::size_t k, PortName name>
constexpr bool of_cache =
    name.view().size() > 3 && name.view()[0] == 'c' && name.view()[1] == '0' + k&& name.view()[2] == '_';

template <class Dut, class Ports, class Monitors>
class WiredBench {
 public:
  static constexpr auto caches = Monitors::caches;
  static constexpr std::size_t count = caches.size();
  using Outputs = std::array<golden::L1dOut, count>;

  struct Inputs {
    bool rst = false;
    std::array<golden::L1dIn, count> caches{};
  };
  struct Alone {
    std::unique_ptr<golden::CycleL1d> cache = golden::CycleL1d::make(WiredBench::caches[0]);
    void cycle(const Inputs& in) {
      cache->outputs(in.caches[0]);
      cache->edge(in.caches[0]);
    }
  };

  WiredBench() {
    for (const hw::L1dParams& p : caches) {
      models_.push_back(golden::CycleL1d::make(p));
      compares_.emplace_back(p);
      traffic_.emplace_back(p);
    }
  }

  Inputs draw(std::mt19937_64& draw) {
    Inputs in{.rst = once_in(draw, 50'000)};
    for (std::size_t k = 0; k < count; ++k) {
      in.caches[k] = traffic_[k].draw(draw);
      in.caches[k].controls = monitors_.controls(k);
    }
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    each_cache([&]<std::size_t k>() {
      Ports::each_input(dut, [&]<PortName name>(auto& port) {
        if constexpr (of_cache<k, name>) drive_port<name, 3>(port, in.caches[k]);
      });
    });
  }

  static std::string words(const Inputs& in) {
    return fmt::format("core request {:#x}", in.caches[0].core_request_address);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    std::optional<Difference> found;
    each_cache([&]<std::size_t k>() {
      L1dSeen seen;
      Ports::each_output(dut, [&]<PortName name>(const auto& port) {
        if constexpr (of_cache<k, name>) show_port<name, 3>(port, seen);
      });
      if (found || compares_[k].ports(seen, models_[k]->outputs(in.caches[k]))) return;
      const Mismatch& m = compares_[k].found();
      found = Difference{fmt::format("c{}_{}", k, m.port), m.dut, m.golden};
    });
    return found ? found : monitors_.compare(dut);
  }

  void edge(const Inputs& in) {
    Outputs shown;
    for (std::size_t k = 0; k < count; ++k) {
      golden::L1dIn now = in.caches[k];
      now.rst = in.rst;
      shown[k] = models_[k]->outputs(now);
      in.rst ? traffic_[k].reset() : traffic_[k].clock(shown[k]);
      models_[k]->edge(now);
    }
    monitors_.edge(in.rst, shown);
  }

  void add_golden(Waves&) {}
  Goals goals() { return monitors_.goals(); }

 private:
  template <class Do>
  static void each_cache(const Do& what) {
    [&]<std::size_t... k>(std::index_sequence<k...>) { (what.template operator()<k>(), ...); }
    (std::make_index_sequence<count>());
  }

  std::vector<std::unique_ptr<golden::CycleL1d>> models_;
  std::vector<L1dCompare> compares_;
  std::vector<WiredTraffic> traffic_;
  Monitors monitors_;
};

// Cache 0 has a selector of its own, and one beside it, which sees each load a cycle before. Cache 1 follows
// a selector that watches it.
template <hw::L1dParams own, hw::L1dParams follows, hw::ModeSelectorParams P>
class WiredModeSelectors {
 public:
  static constexpr std::array caches{own, follows};

  golden::Controls controls(std::size_t) const {
    golden::Controls c;
    c["mode_coarse"] = driving_.mode_coarse();
    return c;
  }

  template <class Dut>
  std::optional<Difference> compare(const Dut& dut) {
    if (dut.driving != driving_.mode_coarse())
      return Difference{"mode_coarse of the selector that drives", dut.driving, driving_.mode_coarse()};
    if (dut.c0_mode_coarse != std::exchange(beside_, dut.beside))
      return Difference{"mode_coarse of the cache, of the selector beside it", dut.c0_mode_coarse, beside_};
    changes_ += std::exchange(built_in_, dut.c0_mode_coarse) != dut.c0_mode_coarse;
    driven_changes_ += std::exchange(drove_, dut.driving) != dut.driving;
    return {};
  }

  void edge(bool rst, const std::array<golden::L1dOut, 2>& shown) {
    const golden::L1dOut& out = shown[1];
    driving_.edge({.rst = rst,
                   .probe_valid = out.probe_valid,
                   .probe_miss = out.probe_miss,
                   .probe_set = static_cast<std::uint32_t>(out.probe_set),
                   .probe_chunks = static_cast<std::uint32_t>(out.probe_chunks)});
    if (rst) beside_ = built_in_ = drove_ = false;
  }

  Goals goals() const {
    return {{"the built-in mode changes", changes_}, {"the mode that is driven changes", driven_changes_}};
  }

 private:
  golden::ModeSelector driving_{P};
  bool beside_ = false, built_in_ = false, drove_ = false;
  std::int64_t changes_ = 0, driven_changes_ = 0;
};

// Caches 0 and 1 do and do not filter; cache 2 does what the unit between them decides.
template <hw::L1dParams follows, hw::FilterDuelingParams P>
class WiredDueling {
 public:
  static constexpr std::array caches{follows, follows, follows};

  golden::Controls controls(std::size_t k) const {
    golden::Controls c;
    c["filter_enable"] = k == 2 ? unit_.filter_enable() : k == 0;
    return c;
  }

  template <class Dut>
  std::optional<Difference> compare(const Dut& dut) {
    if (dut.filter_enable != unit_.filter_enable())
      return Difference{"filter_enable", dut.filter_enable, unit_.filter_enable()};
    changes_ += std::exchange(before_, dut.filter_enable) != dut.filter_enable;
    return {};
  }

  void edge(bool rst, const std::array<golden::L1dOut, 3>& shown) {
    if (rst) return unit_.reset();
    const auto probe = [&](std::size_t k) {
      return golden::DuelingProbe{shown[k].probe_valid, shown[k].probe_miss};
    };
    unit_.edge({probe(0), probe(1)});
  }

  Goals goals() const { return {{"filter_enable changes", changes_}}; }

 private:
  golden::FilterDueling unit_{P};
  bool before_ = false;
  std::int64_t changes_ = 0;
};

// The monitor beside the cache's own, and the address bits of both.
template <hw::L1dParams own>
class WiredAdiMonitor {
 public:
  static constexpr std::array caches{own};

  golden::Controls controls(std::size_t) const { return {}; }

  template <class Dut>
  std::optional<Difference> compare(const Dut& dut) {
    if (dut.beside_sel != dut.built_in_sel)
      return Difference{"sel of the monitor beside the cache", dut.beside_sel, dut.built_in_sel};
    if (dut.flushes && !dut.wants_flush) return Difference{"flush_valid when the cache flushes", 0, 1};
    changes_ += std::exchange(before_, dut.built_in_sel) != dut.built_in_sel;
    flushes_ += dut.flushes;
    return {};
  }

  void edge(bool, const std::array<golden::L1dOut, 1>&) {}
  Goals goals() const { return {{"sel changes", changes_}, {"flushes", flushes_}}; }

 private:
  std::uint64_t before_ = 0;
  std::int64_t changes_ = 0, flushes_ = 0;
};

}  // namespace verif
