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

  void edge() override {
    dut_.clk = 1;
    dut_.eval();
    dut_.clk = 0;
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
CosimReport run_l1d(const CosimOptions& options, const hw::L1dParams& params,
                    void (*add_probes)(Dut&, Waves&), void (*add_state)(Dut&, SeenState&)) {
  if (options.random_initial) {
    Verilated::randReset(2);
    Verilated::randSeed(static_cast<int>(options.seed));
  }
  L1dVerilated<Dut> dut(params.mode.follow), bare(params.mode.follow);
  SeenState state;
  add_state(dut.model(), state);
  L1dCosim cosim(options, params, dut, state, bare);
  if (Waves* waves = cosim.waves()) add_probes(dut.model(), *waves);
  return cosim.run();
}

}  // namespace verif
