// The ports of a Verilated L1 data cache: integers up to 64 bits, arrays of 32-bit words beyond.
#pragma once
#include <verilated.h>

#include <algorithm>
#include <tuple>

#include "verif/lockstep/l1d/l1d_cosim.h"
#include "verif/lockstep/l1d/l1d_port_map.h"

namespace verif {

// `Ports` shows every port of the model (gen/cosim/port_list.h). One that golden does not know, and one that
// it lacks, are errors of the compilation.
template <class Dut, class Ports>
class L1dVerilated final : public L1dDut {
 public:
  L1dVerilated() { static_assert(has_all(golden::l1d_inputs) && has_all(golden::l1d_outputs<L1dSeen>)); }

  Dut& model() { return dut_; }

  void settle(const golden::L1dIn& in) override {
    Ports::each_input(dut_, [&]<PortName name>(auto& port) { drive_port<name>(port, in); });
    dut_.eval();
  }

  void read(L1dSeen& seen) const override {
    Ports::each_output(dut_, [&]<PortName name>(const auto& port) { show_port<name>(port, seen); });
  }

  bool has_events() const override {
    return requires(Dut & d) { d.event_accesses; };
  }

  void read_events([[maybe_unused]] L1dEvents& events) const override {
    if constexpr (requires(Dut & d) { d.event_accesses; })
      events = {dut_.event_accesses,
                dut_.event_loads,
                dut_.event_stores,
                dut_.event_atomics,
                dut_.event_non_l1,
                dut_.event_hits,
                dut_.event_hit_pending,
                dut_.event_partial_misses,
                dut_.event_misses,
                dut_.event_bypasses,
                dut_.event_requests_down,
                dut_.event_chunks_requested,
                dut_.event_fills,
                dut_.event_evicted_lines,
                dut_.event_evicted_chunks,
                dut_.event_store_invalidations,
                dut_.event_doomed,
                dut_.event_flushes,
                dut_.event_reservation_fail_line,
                dut_.event_reservation_fail_mshr,
                dut_.event_reservation_fail_merge,
                dut_.event_reservation_fail_queue};
  }

  void edge() override {
    dut_.clk = 1;
    dut_.eval();
    dut_.clk = 0;
  }

  L1dStateView state() const override {
    L1dStateView view;
    if constexpr (requires(Dut & d) { d.state_set; }) {
      view = {.valid = bytes_of(dut_.state_valid),
              .busy = bytes_of(dut_.state_busy),
              .in_use = bytes_of(dut_.state_in_use),
              .doomed = bytes_of(dut_.state_doomed),
              .flushed = bytes_of(dut_.state_flushed),
              .wake = bytes_of(dut_.state_wake),
              .pending = bytes_of(dut_.state_pending),
              .count = bytes_of(dut_.state_count),
              .entry_set = bytes_of(dut_.state_entry_set),
              .entry_tag = bytes_of(dut_.state_entry_tag)};
      if constexpr (requires(Dut & d) { d.state_tags; }) view.tags = bytes_of(dut_.state_tags);
      if constexpr (requires(Dut & d) { d.state_replacement; })
        view.replacement = bytes_of(dut_.state_replacement);
      if constexpr (requires(Dut & d) { d.state_sel; }) {
        view.sel = bytes_of(dut_.state_sel);
        view.phase = bytes_of(dut_.state_phase);
      }
      if constexpr (requires(Dut & d) { d.state_shared; }) view.shared = bytes_of(dut_.state_shared);
      if constexpr (requires(Dut & d) { d.state_slots; }) view.slots = bytes_of(dut_.state_slots);
      if constexpr (requires(Dut & d) { d.state_entry_slots; }) {
        view.entry_slots = bytes_of(dut_.state_entry_slots);
        view.waits = bytes_of(dut_.state_waits);
      }
      if constexpr (requires(Dut & d) { d.state_lfsr; }) view.lfsr = bytes_of(dut_.state_lfsr);
      if constexpr (requires(Dut & d) { d.state_entry_way; }) view.entry_way = bytes_of(dut_.state_entry_way);
      if constexpr (requires(Dut & d) { d.state_reuse; }) {
        view.tag_valid = bytes_of(dut_.state_tag_valid);
        view.reuse = bytes_of(dut_.state_reuse);
      }
    }
    return view;
  }

  void look_at([[maybe_unused]] std::uint32_t set_number) override {
    if constexpr (requires(Dut & d) { d.state_set; }) dut_.state_set = set_number;
  }

 private:
  template <class... Port>
  static constexpr bool has_all(const std::tuple<Port...>& ports) {
    const auto has = [](std::string_view name) { return std::ranges::count(Ports::names, name) == 1; };
    return std::apply([&](const auto&... port) { return (has(port.name) && ...); }, ports);
  }

  template <class Port>
  static const std::uint8_t* bytes_of(const Port& port) {
    return reinterpret_cast<const std::uint8_t*>(&port);
  }

  Dut dut_;
};

// The whole run of a program built for one configuration. `random_initial`: registers and unknowns begin with
// anything (needs a model built for it).
template <class Dut, class Ports>
CosimReport run_l1d(const CosimOptions& options, const hw::L1dParams& params, int tag_bits,
                    void (*add_probes)(Dut&, Waves&)) {
  if (options.random_initial) {
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(options.seed));
  }
  L1dVerilated<Dut, Ports> dut, bare;
  L1dCosim cosim(options, params, tag_bits, dut, bare);
  if (Waves* waves = cosim.waves()) add_probes(dut.model(), *waves);
  return cosim.run();
}

}  // namespace verif
