// The ports of a Verilated L1 data cache: integers up to 64 bits, arrays of 32-bit words beyond.
#pragma once
#include <verilated.h>

#include <cstring>

#include "verif/lockstep/l1d/l1d_cosim.h"

namespace verif {

template <class Dut>
class L1dVerilated final : public L1dDut {
 public:
  // `follows`: the port mode_coarse, where there is one, is an input.
  explicit L1dVerilated(bool follows = false) : follows_(follows) {}

  Dut& model() { return dut_; }

  void settle(const golden::L1dIn& in) override {
    dut_.rst = in.rst;
    dut_.core_request_valid = in.core_request_valid;
    dut_.core_request_id = in.core_request_id;
    dut_.core_request_kind = static_cast<std::uint8_t>(in.core_request_kind);
    dut_.core_request_address = in.core_request_address;
    dut_.core_request_mask = in.core_request_mask;
    static constexpr golden::ByteMask none{};
    put(dut_.core_request_byte_enable, in.core_request_byte_enable ? in.core_request_byte_enable : &none);
    put(dut_.core_request_data, in.core_request_data);
    dut_.core_response_ready = in.core_response_ready;
    dut_.memory_request_ready = in.memory_request_ready;
    dut_.memory_response_valid = in.memory_response_valid;
    dut_.memory_response_id = in.memory_response_id;
    dut_.memory_response_mask = in.memory_response_mask;
    put(dut_.memory_response_data, in.memory_response_data);
    dut_.flush_valid = in.flush_valid;
    if constexpr (requires(Dut & d) { d.mode_coarse; })
      if (follows_) dut_.mode_coarse = in.controls["mode_coarse"];
    if constexpr (requires(Dut & d) { d.filter_enable; }) dut_.filter_enable = in.controls["filter_enable"];
    dut_.eval();
  }

  void read(L1dSeen& seen) const override {
    seen.core_request_ready = dut_.core_request_ready;
    seen.core_response_valid = dut_.core_response_valid;
    seen.core_response_id = dut_.core_response_id;
    seen.core_response_mask = dut_.core_response_mask;
    seen.core_response_data = bytes_of(dut_.core_response_data);
    seen.memory_request_valid = dut_.memory_request_valid;
    seen.memory_request_id = dut_.memory_request_id;
    seen.memory_request_kind = dut_.memory_request_kind;
    seen.memory_request_address = dut_.memory_request_address;
    seen.memory_request_mask = dut_.memory_request_mask;
    seen.memory_request_byte_enable = bytes_of(dut_.memory_request_byte_enable);
    seen.memory_request_data = bytes_of(dut_.memory_request_data);
    seen.memory_response_ready = dut_.memory_response_ready;
    seen.flush_ready = dut_.flush_ready;
    if constexpr (requires(Dut & d) { d.mode_coarse; })
      seen.decisions["mode_coarse"] = !follows_ && dut_.mode_coarse;
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
  // Null leaves what was there: it does not count.
  template <class Port, class Words>
  static void put(Port& port, const Words* words) {
    if (words) std::memcpy(static_cast<void*>(&port), words->data(), sizeof port);
  }

  template <class Port>
  static const std::uint8_t* bytes_of(const Port& port) {
    return reinterpret_cast<const std::uint8_t*>(&port);
  }

  const bool follows_;
  Dut dut_;
};

// The whole run of a program built for one configuration. `random_initial`: registers and unknowns begin with
// anything (needs a model built for it).
template <class Dut>
CosimReport run_l1d(const CosimOptions& options, const hw::L1dParams& params, int tag_bits,
                    void (*add_probes)(Dut&, Waves&)) {
  if (options.random_initial) {
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(options.seed));
  }
  L1dVerilated<Dut> dut(params.mode.follow), bare(params.mode.follow);
  L1dCosim cosim(options, params, tag_bits, dut, bare);
  if (Waves* waves = cosim.waves()) add_probes(dut.model(), *waves);
  return cosim.run();
}

}  // namespace verif
