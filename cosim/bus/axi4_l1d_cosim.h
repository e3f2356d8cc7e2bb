// Lock step of an L1 data cache with AXI4 and its reference model against a memory that reorders, with the
// rules of AXI4 and of streams, and properties that do not come from the model: each request is answered
// once, and each load has the bytes of the stores accepted before it and of none after.
#pragma once
#include "cosim/bus/axi4_faults.h"
#include "cosim/bus/axi4_open_requests.h"
#include "cosim/bus/axi4_side.h"
#include "cosim/l1d/cache_upsets.h"
#include "cosim/l1d/controls_stimulus.h"
#include "cosim/l1d/inner_ports.h"
#include "cosim/l1d/mechanism_traffic.h"
#include "golden/bus/axi4_l1d.h"

namespace verif {

template <class Dut, hw::L1dParams P, class Ports>
class Axi4L1dBench {
 public:
  static constexpr int beat = hw::beat_bytes(hw::axi4_bridge_of(P, 40));
  static constexpr int lines = P.capacity_bytes / P.line_bytes;
  using Kind = golden::RequestKind;
  using Request = Axi4Request;
  struct Inputs {
    bool rst = false, flush = false;
    std::optional<Request> request;
    bool response_ready = false;
    Axi4Drives axi = {};
    golden::Controls controls = {};
    golden::MonitorInputs monitor_inputs = {};
  };
  struct Alone {
    golden::Axi4L1d golden{P};
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs(as_golden(in)).core.core_request_ready;
      golden.edge();
    }
  };

  Axi4L1dBench() {
    for (const auto& mechanism : mechanisms_) mechanism->aim_at(golden_.core());
  }

  // RAMs of a user's Verilog cannot be reached.
  void see_state(const SeenState& state) {
    if (hw::is_protected(P.ecc) && state.complete()) upsets_.add(P, state, "core.", golden_.core(), 1);
  }

  Inputs draw(std::mt19937_64& draw) {
    if (faults_.running()) return behind_a_fault();
    upsets_.cycle();
    if (phase_.next(draw)) new_phase(draw);
    Inputs in{.rst = once_in(draw, 20'000) || upsets_.needs_reset()};
    drive_mechanisms(in, draw);
    if (!waiting_ && once_in(draw, idle_)) waiting_ = request(draw);
    flushing_ = flushing_ || once_in(draw, flushes_);
    side_.memory().next(draw);
    side_.seed(draw());
    if (in.rst) return in;
    in.request = waiting_, in.flush = flushing_;
    in.response_ready = draw() % 8 >= stall_;
    in.axi = side_.next(draw);
    if constexpr (P.check.ports) faults_.alter(in.axi, draw, *golden_.bridge().check());
    return in;
  }

  static void drive(Dut& d, const Inputs& in) {
    const golden::L1dIn core = as_golden(in).core;
    Ports::each_input(d, [&]<PortName name>(auto& port) {
      if constexpr (!name.view().starts_with("axi_")) drive_port<name>(port, core);
    });
    in.axi.to(d, beat);
  }

  static std::string words(const Inputs& in) {
    std::string text;
    if (in.request)
      text = fmt::format("request {} kind {} {:#x} mask {:#x}, ", in.request->id,
                         static_cast<int>(in.request->kind), in.request->address, in.request->mask);
    if (in.flush) text += "flush, ";
    return text + in.axi.words(in.response_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) {
      forget();
      return faults_.reset(code_of(dut));
    }
    if (faults_.running()) {
      shown_ = axi4_shown(dut, beat);
      response_ = response_of(dut);
      request_ready_ = dut.core_request_ready, flush_ready_ = dut.flush_ready;
      return as_the_model(dut, in);
    }
    probe(dut, in);
    shown_ = axi4_shown(dut, beat);
    response_ = response_of(dut);
    request_ready_ = dut.core_request_ready, flush_ready_ = dut.flush_ready;
    if (const auto rule = side_.broken(shown_, in.axi); !rule.empty())
      return Difference{rule + "; broken rules", 1, 0};
    const Answer answer = response_.value_or(Answer{});
    if (const auto rule = answers_.cycle(response_.has_value(), in.response_ready, answer); !rule.empty())
      return Difference{"core_response: " + rule + "; broken rules", 1, 0};
    golden_.outputs(as_golden(in));
    upsets_.watch();
    upsets_.each_late([&](std::uint64_t id) { open_.may_be_late(id); });
    if (const auto d = open_.cycle(response_ && in.response_ready ? &*response_ : nullptr,
                                   in.request && request_ready_ ? &*in.request : nullptr))
      return d;
    return as_the_model(dut, in);
  }

  void edge(const Inputs& in) {
    if (in.rst) golden_.outputs(as_golden(in));
    const bool faulty = faults_.running();
    faults_.edge(in.axi, shown_);
    if (!faulty) count(in);
    golden_.edge();
    if (in.rst || faulty) return;
    side_.edge(shown_, in.axi);
    if (in.request && request_ready_) waiting_.reset();
    if (in.flush && flush_ready_) flushing_ = false;
    in_use_ = static_cast<std::uint64_t>(golden_.bridge().in_use());
  }

  void add_golden(Waves& waves) { waves.add_golden("in_use", 8, &in_use_); }

  bool flips_bits() const { return upsets_.of_some_cache(); }

  Goals goals() {
    const golden::L1dCounters& c = golden_.core().counters();
    const auto add = [&](const char* event, std::uint64_t n) { seen_[event] = static_cast<std::int64_t>(n); };
    add("hits", c.hits), add("hits on pending lines", c.hit_pending), add("misses", c.misses);
    add("stores that find a line", c.store_invalidations + c.store_updates), add("poisoned lines", c.doomed);
    add("non-L1 requests", c.non_l1), add("flushes", c.flushes),
        add("evictions", c.evicted_lines + c.evicted_chunks);
    if (P.drops || P.snoops) seen_.try_emplace("a request that no memory sees", 0);
    seen_["an answer overtakes an older one"] = side_.reordered();
    seen_.merge(upsets_.goals());
    if constexpr (P.check.ports) faults_.goals(seen_);
    return seen_;
  }

 private:
  using Answer = Axi4Answer;
  static constexpr bool is_of_cache(std::string_view port) {
    return !port.starts_with("axi_") && !port.starts_with("protocol_error");
  }

  static std::uint64_t code_of([[maybe_unused]] const Dut& dut) {
    if constexpr (P.check.ports) return dut.protocol_error_code;
    return 0;
  }

  // Nothing new begins up to the reset.
  Inputs behind_a_fault() {
    Inputs in{.controls = controls_};
    in.rst = faults_.ends();
    if (in.rst) return in;
    in.request = waiting_, in.response_ready = true;
    in.axi = faults_.drives(*golden_.bridge().check());
    return in;
  }

  void drive_mechanisms(Inputs& in, std::mt19937_64& draw) {
    controls_stimulus_.drive(controls_, draw);
    in.controls = controls_;
    golden::L1dIn monitors;
    for (const auto& mechanism : mechanisms_) mechanism->cycle(monitors);
    in.monitor_inputs = monitors.monitor_inputs;
  }

  static golden::Axi4L1d::In as_golden(const Inputs& in) {
    golden::Axi4L1d::In g;
    g.core.rst = in.rst, g.core.flush_valid = in.flush, g.core.core_response_ready = in.response_ready;
    g.core.controls = in.controls, g.core.monitor_inputs = in.monitor_inputs;
    if (in.request) {
      g.core.core_request_valid = true;
      g.core.core_request_id = in.request->id;
      g.core.core_request_kind = in.request->kind;
      g.core.core_request_address = in.request->address, g.core.core_request_mask = in.request->mask;
      g.core.core_request_sideband = in.request->sideband;
      g.core.core_request_byte_enable = &in.request->enable, g.core.core_request_data = &in.request->data;
    }
    in.axi.to(g.axi);
    return g;
  }

  void new_phase(std::mt19937_64& draw) {
    idle_ = std::array{1, 1, 2, 8}[draw() % 4];
    stall_ = std::array{0, 1, 4, 7}[draw() % 4];
    side_.new_phase(draw);
    requests_.new_phase(draw);
    controls_stimulus_.open_phase(draw);
    flushes_ = 1500;
    if (!once_in(draw, 40)) return;
    // Long enough for lines to go.
    requests_.fill(), side_.hurry();
    idle_ = 1, stall_ = 0, flushes_ = 20'000;
    phase_.extend(1000 + 16 * lines);
  }

  // A core sends no atomics over AXI4, and keeps the lines of non-L1 requests apart.
  std::optional<Request> request(std::mt19937_64& draw) const {
    auto q = requests_.next(draw, open_);
    if (!q) return q;
    if (q->kind == Kind::atomic) q->kind = q->enable == golden::ByteMask{} ? Kind::load : Kind::store;
    if (P.drops && q->kind == Kind::store && once_in(draw, 4)) q->kind = Kind::drop;
    if (P.snoops && q->kind == Kind::load && once_in(draw, 4)) q->kind = Kind::snoop;
    hw::each_sideband_field(hw::sideband_bits(P), [&](const auto& field, int bits) {
      auto& value = q->sideband.*field.value;
      value = static_cast<std::remove_reference_t<decltype(value)>>(draw() >> (64 - bits));
    });
    const std::uint64_t line = std::uint64_t{P.line_bytes};
    q->address = q->kind == Kind::non_l1 ? q->address | line : q->address & ~line;
    return q;
  }

  std::optional<Answer> response_of(const Dut& d) const {
    if (!d.core_response_valid) return {};
    return Answer::of(d.core_response_id, d.core_response_mask, d.core_response_data, P.line_bytes,
                      P.chunk_bytes);
  }

  // Looks at the outputs with core_response_ready, then with all AXI4 inputs, the other way.
  void probe(Dut& dut, const Inputs& in) {
    dut.core_response_ready = !in.response_ready;
    dut.eval();
    const auto answer = response_of(dut);
    answers_.probe(answer.has_value(), answer.value_or(Answer{}));
    dut.core_response_ready = in.response_ready;
    side_.probe(dut, in.axi);
    drive(dut, in);
    dut.eval();
  }

  std::optional<Difference> as_the_model(Dut& dut, const Inputs& in) {
    const golden::Axi4L1d::Out& want = golden_.outputs(as_golden(in));
    if constexpr (P.check.ports)
      if (const auto d = axi4_protocol_difference(dut, want.axi)) return d;
    if (want.axi.undefined) return faults_.undefined();
    if (const auto d = axi4_difference(shown_, dut.axi_error, want.axi, beat)) return d;
    return inner_difference<Ports, is_of_cache>(dut, want.core, golden_.core().events(), compare_);
  }

  void count(const Inputs& in) {
    seen_["reset"] += in.rst;
    if (in.rst) return;
    const golden::Axi4In& g = golden_.between();
    const bool held = golden_.bridge().held(g);
    seen_["a read waits for a write"] += held && !golden_.bridge().writes(g);
    seen_["a write waits for a read or a write"] += held && golden_.bridge().writes(g);
    seen_["an answer waits"] += response_ && !in.response_ready;
    if (in.request && request_ready_ && (in.request->kind == Kind::drop || in.request->kind == Kind::snoop))
      ++seen_["a request that no memory sees"];
    seen_["an R waits"] += in.axi.r && !shown_.r_ready;
    seen_["an R has an error"] += in.axi.r && shown_.r_ready && in.axi.r->resp > 1;
    seen_["a B has an error"] += in.axi.b && shown_.b_ready && in.axi.b->resp > 1;
  }

  // At a reset everything on its way is lost, and both memories begin again.
  void forget() {
    side_.reset();
    answers_.reset();
    open_.clear();
    upsets_.reset();
    waiting_.reset();
    flushing_ = false;
  }

  golden::Axi4L1d golden_{P};
  Phase phase_;
  std::uint64_t idle_ = 1, stall_ = 0, flushes_ = 1500;
  // Ids are the core's.
  Axi4Requests<hw::axi4_bridge_of(P, P.core_id_bits)> requests_{false, std::max(500, 2 * lines)};
  std::optional<Request> waiting_;
  bool flushing_ = false;
  Axi4Side side_{beat};
  Axi4Faults faults_{hw::axi4_bridge_of(P, 40)};
  ControlsStimulus controls_stimulus_{P};
  golden::Controls controls_;
  MechanismStimuli mechanisms_ = stimuli_of(P, [] { return 1; });
  L1dCompare compare_{P};
  CacheUpsets upsets_;  // of none where nothing is protected
  StreamMonitor<Answer> answers_;
  Axi4Shown shown_;
  std::optional<Answer> response_;
  bool request_ready_ = false, flush_ready_ = false;
  Axi4OpenRequests<P.line_bytes, P.chunk_bytes> open_{"core_response", 100'000};
  std::uint64_t in_use_ = 0;
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
