// Lock step of an L1 data cache behind a coalescer and its reference model, under random instructions or a
// kernel's trace, with properties that do not come from the model: each instruction is answered once, and
// its lanes have the bytes of the stores taken before it and of none after.
#pragma once
#include "cosim/bus/axi4_faults.h"
#include "cosim/bus/axi4_side.h"
#include "cosim/coalescer/l1_subsystem_stimulus.h"
#include "cosim/coalescer/lane_ports.h"
#include "cosim/coalescer/lane_trace.h"
#include "cosim/coalescer/subsystem_memory.h"
#include "cosim/harness/port_name.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/l1d/cache_upsets.h"
#include "cosim/l1d/controls_stimulus.h"
#include "cosim/l1d/inner_ports.h"
#include "cosim/l1d/l1d_compare.h"
#include "cosim/l1d/l1d_port_map.h"
#include "cosim/l1d/mechanism_traffic.h"
#include "cosim/noc/dc_faults.h"
#include "cosim/noc/dc_ports.h"
#include "golden/coalescer/l1_subsystem.h"

namespace verif {

template <class Dut, hw::L1SubsystemParams P, class Ports>
class L1SubsystemBench {
 public:
  static constexpr hw::CoalescerParams lanes = hw::coalescer_of(P);
  static constexpr bool axi4 = P.l1d.protocol == hw::MemoryProtocol::axi4;
  static constexpr int beat = hw::beat_bytes(hw::axi4_bridge_of(P.l1d, 40));
  static constexpr bool checks = P.l1d.check.ports && !axi4, checks_axi4 = P.l1d.check.ports && axi4;
  static constexpr bool protects = hw::is_protected(P.l1d.ecc);
  using Kind = golden::RequestKind;
  struct Inputs {
    bool rst = false, flush = false;
    std::optional<golden::LaneInstruction> instruction = {};
    bool lane_response_ready = false;
    SubsystemMemory::Shown memory = {};
    Axi4Drives axi = {};
    golden::Controls controls = {};
    golden::MonitorInputs monitor_inputs = {};
  };
  struct Alone {
    golden::L1Subsystem golden{P};
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs(as_golden(in)).lanes.lane_request_ready;
      golden.edge();
    }
  };

  L1SubsystemBench() {
    for (const auto& mechanism : mechanisms_) mechanism->aim_at(golden_.cache());
  }

  // RAMs of a user's Verilog cannot be reached.
  void see_state(const SeenState& state) {
    if (protects && state.complete())
      upsets_.add(P.l1d, state, axi4 ? "cache.core." : "cache.", golden_.cache(), 1);
  }

  // From now on its inputs are those of a trace. Throws what stands in the way.
  void follow(const std::string& trace, const CosimOptions& options) {
    if constexpr (axi4)
      throw std::runtime_error("--trace needs memory.protocol = \"native\"; use --random for AXI4");
    if constexpr (hw::reads_gpu(P.l1d))
      throw std::runtime_error(
          "--trace: nobody drives the inputs of the cache's own controller there; use --random");
    if (options.scheduler != "gto")
      throw std::runtime_error(
          fmt::format("--scheduler {}: warps in front of lanes are greedy-then-oldest; "
                      "leave it out",
                      options.scheduler));
    memory_.follow_trace(options.below);
    trace_.emplace(trace, lanes);
    before_ = golden_.cache().counters();
    begins_ = true;
    progress_ = now_;
    trace_cycles_ = 0;
  }
  bool done() const { return trace_->done(); }
  // Of the trace that is done.
  TraceResult result() const {
    return lane_trace_result(*trace_, trace_cycles_, golden_.cache().counters(), before_);
  }

  Inputs draw(std::mt19937_64& draw) {
    if (trace_) return of_trace(draw);
    if (!faulty()) upsets_.cycle();
    if (phase_.next(draw)) {
      stimulus_.new_phase(draw);
      memory_.new_phase(draw);
      side_.new_phase(draw);
      controls_stimulus_.open_phase(draw);
      stall_ = std::array<std::uint64_t, 5>{0, 0, 1, 4, 7}[draw() % 5];
    }
    Inputs in{.rst = (once_in(draw, 20'000) && !axi4_faults_.running()) || faults_.ends() ||
                     axi4_faults_.ends() || upsets_.needs_reset()};
    const auto& instruction = stimulus_.next(draw);
    flushing_ = flushing_ || once_in(draw, 2500);
    in.lane_response_ready = draw() % 8 >= stall_;
    controls_stimulus_.drive(controls_, draw);
    in.controls = controls_;
    if (!mechanisms_.empty()) {
      golden::L1dIn monitors;
      for (const auto& mechanism : mechanisms_) mechanism->cycle(monitors);
      in.monitor_inputs = monitors.monitor_inputs;
    }
    if constexpr (axi4) {
      draw_axi4(in, draw);
    } else {
      in.memory = memory_.next(draw);
      if (in.rst) in.memory.response.reset();
    }
    if (in.rst) return in;
    if constexpr (checks)
      faults_.alter(
          draw, [&](std::size_t) { memory_.drop(); }, std::span(&in.memory.response, 1));
    in.instruction = instruction;
    in.flush = flushing_;
    return in;
  }

  static void drive(Dut& d, const Inputs& in) {
    Ports::lane_request(d, [](auto& valid, auto& ready, auto& id, auto& kind, auto& mask, auto& address,
                              auto& size, auto& data, auto&... brought) {
      return LaneSideband{
          as_lane_request<lanes>(valid, ready, id, kind, mask, address, size, data),
          SidebandPorts<hw::brought_sideband_bits(lanes), std::remove_reference_t<decltype(brought)>...>{
              std::tie(brought...)}};
    }).drive(in.instruction);
    d.lane_response_ready = in.lane_response_ready;
    const golden::L1dIn cache = cache_side(in);
    Ports::each_input(d, [&]<PortName name>(auto& port) {
      constexpr std::string_view text = name.view();
      if constexpr (!text.starts_with("lane_") && !text.starts_with("axi_")) drive_port<name>(port, cache);
    });
    if constexpr (axi4) in.axi.to(d, beat);
  }

  static std::string words(const Inputs& in) {
    std::string text;
    if (const auto& i = in.instruction)
      text += fmt::format("{} {} size {} mask {:x} first {:x}, ",
                          hw::kind_names[static_cast<std::size_t>(i->kind)], i->id, i->size, i->mask,
                          i->place(std::countr_zero(i->mask)));
    if (in.memory.response) text += fmt::format("memory answers {:#x}, ", in.memory.response->id);
    if (in.flush) text += "flush, ";
    if constexpr (axi4) return text + in.axi.words(in.lane_response_ready);
    return text +
           fmt::format("ready: lanes {:d}, memory {:d}", in.lane_response_ready, in.memory.request_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if constexpr (checks) code_ = static_cast<hw::ProtocolError>(dut.protocol_error_code);
    if (in.rst) {
      scoreboard_.reset(), answers_.reset();
      if constexpr (checks_axi4) return axi4_faults_.reset(dut.protocol_error_code);
      return faults_.reset(code_);
    }
    if constexpr (axi4) {
      side_.probe(dut, in.axi);
      drive(dut, in);
      dut.eval();
      shown_ = axi4_shown(dut, beat);
      if (const auto rule = side_.broken(shown_, in.axi); !rule.empty() && !axi4_faults_.running())
        return Difference{rule + "; broken rules", 1, 0};
    }
    const golden::L1Subsystem::Out& want = golden_.outputs(as_golden(in));
    if constexpr (checks)
      if (const auto d = faults_.difference(dut.protocol_error, code_, want.cache.protocol_error_code);
          d || want.cache.undefined)
        return d;
    if constexpr (checks_axi4) {
      if (const auto d = axi4_protocol_difference(dut, want.axi)) return d;
      if (want.axi.undefined) return axi4_faults_.undefined();
    }
    const auto lanes_differ = same_lanes(dut, in, want.lanes);
    if (!faulty()) upsets_.watch();
    upsets_.each_late([&](std::uint64_t id) {
      if (const auto instruction = golden_.coalescer().instruction_of(id))
        scoreboard_.may_be_late(*instruction);
    });
    const auto broken = owed(in);
    // Lanes show a wrong response one cycle after it, before its code.
    if (faults_.running() && !faults_.adds(0) && !faults_.lost()) return {};
    if (lanes_differ) return lanes_differ;
    if (const auto d = same_memory(dut, want)) return d;
    if (const auto d = same_rest(dut, want)) return d;
    return faulty() ? std::nullopt : broken;
  }

  void edge(const Inputs& in) {
    const golden::L1Subsystem::Out& out = golden_.outputs(as_golden(in));
    const bool axi4_faulty = axi4_faults_.running();
    if (!axi4_faulty) count(in, out);
    const bool taken = !in.rst && in.instruction && out.lanes.lane_request_ready;
    const auto answer = !in.rst && in.lane_response_ready ? out.lanes.lane_response : std::nullopt;
    const bool flushed = in.flush && out.cache.flush_ready;
    if (flushed) flushing_ = false;
    if constexpr (axi4) {
      axi4_faults_.edge(in.axi, shown_);
      if (in.rst)
        side_.reset();
      else if (!axi4_faulty)
        side_.edge(shown_, in.axi);
    } else
      memory_edge(in, out.cache);
    if (in.rst) upsets_.reset();
    if (trace_ && !in.rst) {
      trace_->edge(taken, answer ? &*answer : nullptr, flushed, golden_.coalescer().drained());
      ++trace_cycles_;
    }
    if (taken) stimulus_.taken();
    if (in.rst) stimulus_.reset(), flushing_ = false;
    golden_.edge();
    ++now_;
    in_flight_ = golden_.coalescer().instructions_in_flight();
  }

  void add_golden(Waves& waves) { waves.add_golden("instructions_in_flight", 8, &in_flight_); }

  bool flips_bits() const { return upsets_.of_some_cache(); }

  Goals goals() {
    const golden::L1dCounters& c = golden_.cache().counters();
    const auto add = [&](const char* event, std::uint64_t n) { seen_[event] = static_cast<std::int64_t>(n); };
    add("hits", c.hits), add("hits on pending lines", c.hit_pending), add("misses", c.misses);
    add("stores that find a line", c.store_invalidations + c.store_updates), add("poisoned lines", c.doomed);
    add("non-L1 requests", c.non_l1), add("flushes", c.flushes);
    if constexpr (!axi4) add("atomics", c.atomics);
    seen_.merge(upsets_.goals());
    if constexpr (checks) faults_.goals(seen_);
    if constexpr (checks_axi4) axi4_faults_.goals(seen_);
    seen_["every degree"] = degrees_.count() == static_cast<std::size_t>(P.lanes);
    return seen_;
  }

 private:
  Inputs of_trace(std::mt19937_64& draw) {
    Inputs in{.rst = std::exchange(begins_, false), .lane_response_ready = true};
    in.memory = memory_.next(draw);
    if (in.rst) {
      in.memory.response.reset();
      return in;
    }
    in.instruction = trace_->offered();
    in.flush = trace_->wants_flush();
    return in;
  }

  void memory_edge(const Inputs& in, const golden::L1dOut& out) {
    SubsystemMemory::Shown shown = in.memory;
    if (faults_.adds(0)) shown.response.reset();
    memory_.edge(in.rst, shown, out);
    const bool filled = out.memory_response_ready;
    if (checks && !in.rst && !trace_)
      faults_.edge(std::span(&in.memory.response, 1), std::span(&filled, 1), code_);
  }

  bool faulty() const { return faults_.running() || axi4_faults_.running(); }

  void draw_axi4(Inputs& in, std::mt19937_64& draw) {
    if (in.rst) return;
    if (axi4_faults_.running()) {
      in.axi = axi4_faults_.drives(*golden_.bridge()->check());
      return;
    }
    side_.memory().next(draw);
    side_.seed(draw());
    in.axi = side_.next(draw);
    if constexpr (checks_axi4) axi4_faults_.alter(in.axi, draw, *golden_.bridge()->check());
  }

  static constexpr bool is_of_cache(std::string_view port) {
    if (axi4 && port.starts_with("protocol_error")) return false;
    return !port.starts_with("lane_") && !port.starts_with("axi_") && !port.starts_with("memory_request");
  }

  static golden::L1dIn cache_side(const Inputs& in) {
    golden::L1dIn cache;
    golden::add_memory_side(cache, in.memory.response ? &*in.memory.response : nullptr,
                            in.memory.request_ready);
    cache.rst = in.rst, cache.flush_valid = in.flush;
    cache.controls = in.controls, cache.monitor_inputs = in.monitor_inputs;
    return cache;
  }

  static golden::L1Subsystem::In as_golden(const Inputs& in) {
    golden::L1Subsystem::In g{.rst = in.rst,
                              .flush_valid = in.flush,
                              .lane_request = in.instruction,
                              .lane_response_ready = in.lane_response_ready,
                              .memory_request_ready = in.memory.request_ready,
                              .memory_response = in.memory.response ? &*in.memory.response : nullptr,
                              .controls = in.controls,
                              .monitor_inputs = in.monitor_inputs};
    in.axi.to(g.axi);
    return g;
  }

  // lane_response depends on no ready.
  std::optional<Difference> same_lanes(Dut& dut, const Inputs& in, const golden::Coalescer::Out& want) {
    dut.lane_response_ready = !in.lane_response_ready;
    dut.eval();
    const auto other = Ports::lane_response(dut, as_lane_response<lanes>).shown();
    answers_.probe(other.has_value(), other.value_or(golden::LaneAnswer{}));
    dut.lane_response_ready = in.lane_response_ready;
    dut.eval();
    answer_ = Ports::lane_response(dut, as_lane_response<lanes>).shown();
    request_taken_ = in.instruction && dut.lane_request_ready;
    if (const auto rule = answers_.cycle(answer_.has_value(), in.lane_response_ready,
                                         answer_.value_or(golden::LaneAnswer{}));
        !rule.empty())
      return Difference{"lane_response: " + rule + "; broken rules", 1, 0};
    if (dut.lane_request_ready != want.lane_request_ready)
      return Difference{"lane_request_ready", dut.lane_request_ready, want.lane_request_ready};
    return lane_answer_difference(answer_, want.lane_response, P.lanes, P.lane_bytes);
  }

  std::optional<Difference> same_memory(Dut& dut, const golden::L1Subsystem::Out& want) {
    if constexpr (axi4) {
      return axi4_difference(shown_, dut.axi_error, want.axi, beat);
    } else {
      const auto request = golden::memory_request(want.cache);
      return stream_difference("memory_request",
                               Ports::memory_request(dut, as_request).shown(P.l1d.line_bytes),
                               request ? &*request : nullptr, true, P.l1d.line_bytes, P.l1d.chunk_bytes);
    }
  }

  // All other outputs of the cache, by their names.
  std::optional<Difference> same_rest(Dut& dut, const golden::L1Subsystem::Out& want) {
    return inner_difference<Ports, is_of_cache>(dut, want.cache, golden_.cache().events(), compare_);
  }

  std::optional<Difference> owed(const Inputs& in) {
    std::string wrong;
    if (answer_ && in.lane_response_ready) wrong = scoreboard_.answered(*answer_);
    if (request_taken_) scoreboard_.taken(*in.instruction, now_);
    if (wrong.empty()) wrong = scoreboard_.overdue(now_);
    if (answer_ || request_taken_ || in.flush) progress_ = now_;
    if (wrong.empty() && trace_ && now_ - progress_ > 200'000) wrong = "a trace that stands still";
    return wrong.empty() ? std::nullopt : std::optional(Difference{wrong, 1, 0});
  }

  void count(const Inputs& in, const golden::L1Subsystem::Out& out) {
    const golden::Coalescer& c = golden_.coalescer();
    seen_["reset under traffic"] += in.rst && c.instructions_in_flight() > 0 && c.requests_in_flight() > 0;
    if (in.rst) return;
    if (in.instruction && out.lanes.lane_request_ready && in.instruction->kind != Kind::atomic)
      degrees_.set(golden::groups_of(lanes, *in.instruction).size());
    seen_["all instructions in flight"] +=
        c.instructions_in_flight() == static_cast<std::size_t>(P.instructions);
    seen_["lane_request waits"] += in.instruction && !out.lanes.lane_request_ready;
    seen_["lane_response waits"] += out.lanes.lane_response && !in.lane_response_ready;
    seen_["the cache does not take a request"] += golden_.request() && !out.cache.core_request_ready;
    if constexpr (axi4) {
      seen_["an R waits"] += in.axi.r && !shown_.r_ready;
      return;
    }
    seen_["memory does not take a request"] += out.cache.memory_request_valid && !in.memory.request_ready;
    seen_["memory's answer waits"] += in.memory.response && !out.cache.memory_response_ready;
  }

  golden::L1Subsystem golden_{P};
  Phase phase_;
  std::uint64_t stall_ = 0;
  LaneScoreboard scoreboard_{lanes};
  L1SubsystemStimulus stimulus_{P, scoreboard_};
  SubsystemMemory memory_{P.l1d};
  Axi4Side side_{beat};
  Axi4Shown shown_;
  ControlsStimulus controls_stimulus_{P.l1d};
  golden::Controls controls_;
  MechanismStimuli mechanisms_ = stimuli_of(P.l1d, [] { return 1; });
  L1dCompare compare_{P.l1d};
  StreamMonitor<golden::LaneAnswer> answers_;
  std::optional<golden::LaneAnswer> answer_;
  bool request_taken_ = false, flushing_ = false;
  std::optional<LaneTrace> trace_;
  bool begins_ = false;
  std::int64_t now_ = 0, progress_ = 0, trace_cycles_ = 0;
  golden::L1dCounters before_;
  CacheUpsets upsets_;                                     // of none where nothing is protected
  DcFaults faults_{slice_of(P.l1d)};                       // of a cache that checks its memory
  Axi4Faults axi4_faults_{hw::axi4_bridge_of(P.l1d, 40)};  // of a bridge that checks it
  hw::ProtocolError code_ = hw::ProtocolError::none;
  std::bitset<65> degrees_;  // of instructions that are not atomic
  std::uint64_t in_flight_ = 0;
  Goals seen_;
};

}  // namespace verif
