// Lock step of a DC-L1 node and its reference model, with properties that do not come from the model: each
// request is answered once, and each load has the bytes of the stores accepted before it and of none after.
#pragma once
#include <deque>

#include "cosim/harness/port_name.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/l1d/cache_upsets.h"
#include "cosim/l1d/controls_stimulus.h"
#include "cosim/noc/dc_faults.h"
#include "cosim/noc/dc_ports.h"
#include "cosim/noc/dc_traffic.h"
#include "golden/topology/dc_l1_node.h"

namespace verif {

template <class Dut, hw::DcL1NodeParams P, class Ports>
class DcL1NodeBench {
 public:
  static constexpr int line = P.l1d.line_bytes, chunk = P.l1d.chunk_bytes;
  static constexpr bool checks = P.l1d.check.ports;
  using Message = golden::Message;
  struct Inputs {
    bool rst = false, flush = false;
    golden::Controls controls{};
    std::optional<Message> request{}, memory_response{};
    bool response_ready = false, memory_request_ready = false;
  };
  struct Alone {
    golden::DcL1Node golden{P};
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.core_request_ready();
      golden.edge(as_golden(in));
    }
  };

  // RAMs of a user's Verilog cannot be reached.
  void see_state(const SeenState& state) {
    if (hw::is_protected(P.l1d.ecc) && state.complete())
      upsets_.add(P.l1d, state, "cache.", golden_.cache(), 1);
  }

  Inputs draw(std::mt19937_64& draw) {
    if (!faults_.running()) upsets_.cycle();
    if (phase_.next(draw)) {
      core_.new_phase(draw);
      slow_ = std::array{1, 2, 8, 40}[draw() % 4];
      memory_stall_ = std::array{0, 1, 4, 7}[draw() % 4];
      controls_stimulus_.open_phase(draw);
    }
    Inputs in{.rst = once_in(draw, 20'000) || upsets_.needs_reset() || faults_.ends()};
    const auto& request = core_.next(draw);
    flushing_ = flushing_ || once_in(draw, 1500);
    slice_.next(draw, slow_);
    in.response_ready = core_.response_ready(draw);
    in.memory_request_ready = draw() % 8 >= memory_stall_;
    controls_stimulus_.drive(controls_, draw);
    in.controls = controls_;
    if (in.rst) return in;
    in.request = request;
    in.flush = flushing_;
    if (slice_.shown()) in.memory_response = *slice_.shown();
    if constexpr (checks)
      faults_.alter(
          draw, [&](std::size_t) { slice_.taken(); }, std::span(&in.memory_response, 1));
    return in;
  }

  static void drive(Dut& d, const Inputs& in) {
    Ports::core_request(d, as_request_with<hw::sideband_bits(P.l1d)>).drive(pointer(in.request), line);
    d.core_response_ready = in.response_ready;
    d.memory_request_ready = in.memory_request_ready;
    Ports::memory_response(d, as_response).drive(pointer(in.memory_response), line);
    d.flush_valid = in.flush;
    Ports::each_input(d, [&]<PortName name>(auto& port) {
      if constexpr (hw::is_control(name.view())) port = in.controls[name.text];
    });
  }

  static std::string words(const Inputs& in) {
    const auto text = [](const char* name, const std::optional<Message>& m) {
      return m ? fmt::format("{} {:#x} kind {} {:#x} mask {:#x}, ", name, m->id, static_cast<int>(m->kind),
                             m->address, m->mask)
               : "";
    };
    return fmt::format("{}{}{}response_ready {} memory_request_ready {}", text("request", in.request),
                       text("memory response", in.memory_response), in.flush ? "flush, " : "",
                       in.response_ready, in.memory_request_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if constexpr (checks) code_ = static_cast<hw::ProtocolError>(dut.protocol_error_code);
    if (in.rst) return faults_.reset(code_);
    const golden::L1dOut& cache = golden_.cache_outputs(as_golden(in));
    if constexpr (checks)
      if (const auto d = faults_.difference(dut.protocol_error, code_, cache.protocol_error_code);
          d || cache.undefined)
        return d;
    response_ = Ports::core_response(dut, as_response).shown(line);
    asked_ = Ports::memory_request(dut, as_request).shown(line);
    const std::pair<const char*, std::pair<bool, bool>> flags[] = {
        {"core_request_ready", {dut.core_request_ready, golden_.core_request_ready()}},
        {"memory_response_ready", {dut.memory_response_ready, golden_.memory_response_ready()}},
        {"flush_ready", {dut.flush_ready, cache.flush_ready}}};
    for (const auto& [name, values] : flags)
      if (values.first != values.second) return Difference{name, values.first, values.second};
    if constexpr (hw::is_protected(P.l1d.ecc))
      if (const auto d = ecc_difference("", cache, dut.ecc_corrected, dut.ecc_refetched,
                                        dut.ecc_uncorrectable, dut.ecc_uncorrectable_id))
        return d;
    if (const auto d =
            stream_difference("core_response", response_, golden_.core_response(), false, line, chunk))
      return d;
    if (const auto d =
            stream_difference("memory_request", asked_, golden_.memory_request(), true, line, chunk))
      return d;
    if (faults_.running()) return {};
    upsets_.watch();
    upsets_.each_late([&](std::uint64_t id) { core_.may_be_late(id); });
    if (response_ && in.response_ready)
      if (const auto d = core_.answered(*response_)) return d;
    return core_.overdue(now_);
  }

  void edge(const Inputs& in) {
    count(in);
    if (in.rst) {
      golden_.edge(as_golden(in));
      upsets_.reset();
      core_.reset();
      slice_.reset();
      memory_.clear();
      flushing_ = false;
      return;
    }
    const bool accepted = in.request && golden_.core_request_ready();
    const bool answered = in.memory_response && golden_.memory_response_ready();
    if (in.flush && golden_.cache_outputs(as_golden(in)).flush_ready) flushing_ = false;
    if (asked_ && in.memory_request_ready) slice_.accept(memory_, *asked_, line);
    golden_.edge(as_golden(in));
    if (accepted) core_.accepted(now_);
    if (answered && !faults_.adds(0)) slice_.taken();
    if constexpr (checks) faults_.edge(std::span(&in.memory_response, 1), std::span(&answered, 1), code_);
    ++now_;
    full_ = golden_.full()[0];
  }

  void add_golden(Waves& waves) { waves.add_golden("q1_full", 1, &full_); }

  bool flips_bits() const { return upsets_.of_some_cache(); }

  Goals goals() {
    const golden::L1dCounters& c = golden_.cache().counters();
    const auto add = [&](const char* event, std::uint64_t n) { seen_[event] = static_cast<std::int64_t>(n); };
    add("hits", c.hits), add("hits on pending lines", c.hit_pending), add("misses", c.misses);
    add("stores that invalidate", c.store_invalidations), add("poisoned lines", c.doomed);
    add("atomics", c.atomics), add("non-L1 requests", c.non_l1), add("flushes", c.flushes);
    seen_["a load close behind a store to the same bytes"] = core_.close_behind();
    seen_.merge(upsets_.goals());
    if constexpr (checks) faults_.goals(seen_);
    return seen_;
  }

 private:
  static const Message* pointer(const std::optional<Message>& m) { return m ? &*m : nullptr; }

  static golden::DcL1Node::In as_golden(const Inputs& in) {
    return {.rst = in.rst,
            .core_request = pointer(in.request),
            .core_response_ready = in.response_ready,
            .memory_request_ready = in.memory_request_ready,
            .memory_response = pointer(in.memory_response),
            .flush_valid = in.flush,
            .controls = in.controls};
  }

  void count(const Inputs& in) {
    seen_["reset"] += in.rst;
    if (in.rst) return;
    const auto full = golden_.full();
    seen_["Q1 is full"] += full[0];
    seen_["Q2 is full"] += full[1];
    seen_["Q3 is full"] += full[2];
    seen_["Q4 is full"] += full[3];
    seen_["a request waits"] += in.request && !golden_.core_request_ready();
    seen_["an answer waits for the core"] += response_ && !in.response_ready;
    seen_["memory does not take a request"] += asked_ && !in.memory_request_ready;
    seen_["memory's answer waits"] += in.memory_response && !golden_.memory_response_ready();
  }

  golden::DcL1Node golden_{P};
  Phase phase_;
  std::uint64_t slow_ = 1, memory_stall_ = 0, full_ = 0;
  ControlsStimulus controls_stimulus_{P.l1d};
  golden::Controls controls_;
  DcCore core_{core_of_node(P.l1d), 0};
  SliceMemory slice_;
  ByteMemory memory_;
  bool flushing_ = false;
  DcFaults faults_{slice_of(P.l1d)};  // of a node that checks its memory
  hw::ProtocolError code_ = hw::ProtocolError::none;
  CacheUpsets upsets_;  // of none where nothing is protected
  std::optional<Message> response_, asked_;
  std::int64_t now_ = 0;
  Goals seen_;
};

}  // namespace verif
