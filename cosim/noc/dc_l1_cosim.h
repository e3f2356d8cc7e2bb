// Lock step of a topology and its reference model: all streams of cores and slices in every cycle, with
// properties that do not come from the model: each request is answered once, and a core that stores and then
// loads the same bytes never sees the older ones.
#pragma once
#include <array>
#include <bitset>
#include <type_traits>

#include "cosim/l1d/cache_upsets.h"
#include "cosim/l1d/controls_stimulus.h"
#include "cosim/noc/dc_faults.h"
#include "cosim/noc/dc_l1_streams.h"
#include "cosim/noc/dc_traffic.h"
#include "golden/topology/topology.h"

namespace verif {

// What the Verilog is held against: the reference model and the scoreboard of cores, or the scoreboard alone,
// or nothing but its own checks of its neighbours.
enum class Against { golden, scoreboard, own_checks };

// `Ports` names the streams: see gen/units/topology/topology_ports.h, which writes it. With boost a step is a
// cycle of the fast clock, and what stands outside changes at every second edge.
template <class Dut, hw::TopologyParams P, class Ports, Against against = Against::golden>
class DcL1Bench {
 public:
  using Golden = golden::Topology;
  using Message = golden::Message;
  static constexpr int cores = P.shape.cores, slices = P.shape.slices, line = P.l1d.line_bytes,
                       chunk = P.l1d.chunk_bytes, caches = golden::caches_of(P.shape);
  struct Inputs {
    bool rst = false, slow_edge = true, flush = false;
    std::array<std::optional<Message>, cores> request{};
    std::array<bool, cores> response_ready{};
    std::array<bool, slices> slice_request_ready{};
    std::array<std::optional<Message>, slices> slice_response{};
    std::array<golden::Controls, caches> controls{};
  };
  struct GoldenAlone {
    std::unique_ptr<Golden> golden = golden::make_topology<P>();
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      const auto driven = as_golden(in);
      kept += golden->outputs(driven).flush_ready;
      step(*golden, driven, in.slow_edge);
    }
  };
  struct Nobody {
    void cycle(const Inputs&) {}
  };
  // Other L1s may then have lines as they were before their core's stores.
  static constexpr bool travel = P.shape.kind == hw::TopologyKind::remote;
  static constexpr int loads_of_others = travel && P.remote.own_store_guard ? 4 : 0;
  // Without a guard loads may miss stores of their core, which the scoreboard alone then counts as wrong.
  static constexpr bool guarded =
      (!travel || P.remote.own_store_guard) &&
      (P.shape.kind != hw::TopologyKind::shared || P.shared.organisation != hw::Organisation::dyneb ||
       P.shared.own_store_guard);
  static constexpr bool sees_stores = guarded || against != Against::golden;
  static constexpr const char* reference = against == Against::golden ? "golden" : "the cores' book";
  static constexpr bool checks = P.l1d.check.ports, with_golden = against == Against::golden,
                        boost = golden::has_fast_clock(P);
  static constexpr bool protects = with_golden && hw::is_protected(P.l1d.ecc);
  using Alone = std::conditional_t<with_golden, GoldenAlone, Nobody>;

  DcL1Bench() {
    const DcShape shape{P.l1d.address_bits, line,       chunk, P.l1d.core_id_bits, cores,
                        loads_of_others,    sees_stores};
    for (int c = 0; c < cores; ++c) cores_.emplace_back(shape, c);
  }

  // RAMs of a user's Verilog cannot be reached.
  void see_state(const SeenState& state) {
    if constexpr (protects)
      for (int n = 0; n < caches && state.complete(); ++n)
        upsets_.add(golden::cache_params(P), state, Ports::cache_paths()[at(n)], golden_.golden->cache(n),
                    static_cast<unsigned>(n));
  }

  Inputs draw(std::mt19937_64& draw) {
    if (boost && !last_.slow_edge) {
      last_.slow_edge = true;
      return last_;
    }
    if (!faults_.running()) upsets_.cycle();
    if (phase_.next(draw)) {
      for (DcCore& core : cores_) core.new_phase(draw);
      slow_ = std::array{1, 2, 8, 40}[draw() % 4];
      slice_stall_ = std::array{0, 0, 1, 4, 7}[draw() % 5];
      controls_stimulus_.open_phase(control_draw_);
    }
    Inputs in{.rst = first_ || once_in(draw, 20'000) || faults_.ends(), .slow_edge = !boost};
    in.rst |= upsets_.needs_reset();
    first_ = false;
    flushing_ = flushing_ || once_in(draw, 4000);
    in.flush = flushing_ && !in.rst;
    for (int c = 0; c < cores; ++c) {
      const auto& request = cores_[at(c)].next(draw);
      if (!in.rst) in.request[at(c)] = request;
      in.response_ready[at(c)] = cores_[at(c)].response_ready(draw);
    }
    for (int s = 0; s < slices; ++s) {
      memory_side_[at(s)].next(draw, slow_);
      if (const Message* m = memory_side_[at(s)].shown(); m && !in.rst) in.slice_response[at(s)] = *m;
      in.slice_request_ready[at(s)] = draw() % 8 >= slice_stall_;
    }
    if (checks && with_golden && !in.rst)
      faults_.alter(
          draw, [&](std::size_t s) { memory_side_[s].taken(); }, in.slice_response);
    for (golden::Controls& controls : controls_) controls_stimulus_.drive(controls, control_draw_);
    in.controls = controls_;
    last_ = in;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    Ports::each_core(dut, [&](int c, const auto& request, const auto& response) {
      request.drive(pointer(in.request[at(c)]), line);
      response.ready = in.response_ready[at(c)];
    });
    Ports::each_slice(dut, [&](int s, const auto& request, const auto& response) {
      request.ready = in.slice_request_ready[at(s)];
      response.drive(pointer(in.slice_response[at(s)]), line);
    });
    Ports::each_control(
        dut, [&](int cache, hw::Control control, auto& port) { port = in.controls[at(cache)][control]; });
    dut.flush_valid = in.flush;
  }

  static std::string words(const Inputs& in) {
    std::string text;
    const auto add = [&](const char* who, int n, const std::optional<Message>& m) {
      if (m)
        text += fmt::format("{}{} {:#x} kind {} {:#x} mask {:#x}, ", who, n, m->id, static_cast<int>(m->kind),
                            m->address, m->mask);
    };
    for (int c = 0; c < cores; ++c) add("core", c, in.request[at(c)]);
    for (int s = 0; s < slices; ++s) add("slice", s, in.slice_response[at(s)]);
    return text + (in.flush ? "flush" : "");
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if constexpr (checks) shown_.code = static_cast<hw::ProtocolError>(dut.protocol_error_code);
    if (in.rst) return in.slow_edge ? faults_.reset(shown_.code) : std::nullopt;
    look(dut);
    if (against == Against::own_checks) return code_alone(in);
    std::optional<Difference> found;
    if constexpr (checks) found = same("protocol_error", dut.protocol_error, dut.protocol_error_code != 0);
    if constexpr (with_golden)
      if (!found) found = against_golden(in);
    if (found || faults_.running()) return found;
    if constexpr (protects) found = DcL1Streams<Dut, P, Ports>::compare(dut, *golden_.golden);
    if (found || !in.slow_edge) return found;
    upsets_.watch();
    upsets_.each_late([&](std::uint64_t id) {
      for (DcCore& core : cores_) core.may_be_late(id);
    });
    for (int c = 0; c < cores && !found; ++c) {
      DcCore& core = cores_[at(c)];
      if (shown_.response[at(c)] && in.response_ready[at(c)]) found = core.answered(*shown_.response[at(c)]);
      if (!found && now_ % 1024 == 0) found = core.overdue(now_);
    }
    if (!found && still_ > longest_still)
      return Difference{"cycles in which nothing moves", static_cast<std::uint64_t>(still_), 0};
    return found;
  }

  void edge(const Inputs& in) {
    if (in.slow_edge && !in.rst) transfers(in);
    if (in.slow_edge && !in.rst && checks)
      faults_.edge(in.slice_response, shown_.slice_response_ready, shown_.code);
    if (in.slow_edge && in.rst) forget();
    if constexpr (with_golden) {
      const auto driven = as_golden(in);
      golden_.golden->outputs(driven);
      step(*golden_.golden, driven, in.slow_edge);
    }
    now_ += in.slow_edge;
    flushes_shown_ = flushing_;
  }

  void add_golden(Waves& waves) { waves.add_golden("flushing", 1, &flushes_shown_); }

  bool flips_bits() const { return upsets_.of_some_cache(); }

  Goals goals() {
    Goals all = seen_;
    if constexpr (with_golden) count_golden(all);
    if constexpr (checks && with_golden) faults_.goals(all);
    all.merge(upsets_.goals());
    all["each core is answered"] = answered_.count() == at(cores);
    all["each slice is asked"] = reached_.count() == at(slices);
    all["an answer waits for each core"] = core_stalls_.count() == at(cores);
    all["a request of each core waits"] = core_waits_.count() == at(cores);
    all["each slice stalls"] = slice_stalls_.count() == at(slices);
    all["an answer of each slice waits"] = slice_waits_.count() == at(slices);
    std::int64_t close = 0;
    for (const DcCore& core : cores_) close += core.close_behind();
    all["a load close behind a store to the same bytes"] = close;
    return all;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static const Message* pointer(const std::optional<Message>& m) { return m ? &*m : nullptr; }
  static std::optional<Difference> same(const std::string& port, bool got, bool want) {
    return got == want ? std::nullopt : std::optional(Difference{port, got, want});
  }

  static golden::TopologyIn as_golden(const Inputs& in) {
    golden::TopologyIn g{.rst = in.rst, .flush_valid = in.flush};
    for (int c = 0; c < cores; ++c) {
      g.request[at(c)] = pointer(in.request[at(c)]);
      g.response_ready[at(c)] = in.response_ready[at(c)];
    }
    for (int s = 0; s < slices; ++s) {
      g.slice_response[at(s)] = pointer(in.slice_response[at(s)]);
      g.slice_request_ready[at(s)] = in.slice_request_ready[at(s)];
    }
    for (int n = 0; n < caches; ++n) g.controls[at(n)] = in.controls[at(n)];
    return g;
  }

  static void step(Golden& golden, const golden::TopologyIn& in, bool slow) {
    slow ? golden.edge(in) : golden.fast_edge(in);
  }

  // What the module shows.
  struct Shown {
    std::array<bool, P.shape.cores> request_ready{};
    std::array<std::optional<Message>, P.shape.cores> response{};
    std::array<std::optional<Message>, P.shape.slices> slice_request{};
    std::array<bool, P.shape.slices> slice_response_ready{};
    bool flush_ready = false;
    hw::ProtocolError code = hw::ProtocolError::none;
  };

  void look(Dut& dut) {
    Ports::each_core(dut, [&](int c, const auto& request, const auto& response) {
      shown_.request_ready[at(c)] = request.ready;
      shown_.response[at(c)] = response.shown(line);
    });
    Ports::each_slice(dut, [&](int s, const auto& request, const auto& response) {
      shown_.slice_request[at(s)] = request.shown(line);
      shown_.slice_response_ready[at(s)] = response.ready;
    });
    shown_.flush_ready = dut.flush_ready;
  }

  // Cores take any response as one of theirs.
  std::optional<Difference> code_alone(const Inputs& in) {
    for (int c = 0; c < cores && in.slow_edge; ++c)
      if (shown_.response[at(c)] && in.response_ready[at(c)]) cores_[at(c)].answered(*shown_.response[at(c)]);
    if (shown_.code == hw::ProtocolError::none) return {};
    return Difference{fmt::format("code {}", hw::code_of(shown_.code)), hw::code_of(shown_.code), 0};
  }

  std::optional<Difference> against_golden(const Inputs& in) {
    const auto& want = golden_.golden->outputs(as_golden(in));
    std::optional<Difference> found;
    const auto check = [&](const std::optional<Difference>& d) {
      if (!found) found = d;
    };
    if constexpr (checks) {
      check(difference<4>("protocol_error_code", hw::code_of(shown_.code),
                          hw::code_of(want.protocol_error_code)));
      check(faults_.unfounded(shown_.code));
      if (found || want.undefined) return found;
    }
    for (int c = 0; c < cores; ++c) {
      const std::string name = fmt::format("core{}_", c);
      check(same(name + "request_ready", shown_.request_ready[at(c)], want.request_ready[at(c)]));
      check(stream_difference(name + "response", shown_.response[at(c)], want.response[at(c)], false, line,
                              chunk));
    }
    for (int s = 0; s < slices; ++s) {
      const std::string name = fmt::format("slice{}_", s);
      check(stream_difference(name + "request", shown_.slice_request[at(s)], want.slice_request[at(s)], true,
                              line, chunk));
      check(same(name + "response_ready", shown_.slice_response_ready[at(s)],
                 want.slice_response_ready[at(s)]));
    }
    check(same("flush_ready", shown_.flush_ready, want.flush_ready));
    return found;
  }

  void count_golden(Goals& all) const {
    for (const auto& [event, n] : golden_.golden->events()) all[event] = static_cast<std::int64_t>(n);
    golden::L1dCounters sum;
    for (int n = 0; n < golden_.golden->caches(); ++n)
      for (const auto& [name, counter] : golden::counter_names)
        sum.*counter += golden_.golden->cache(n).counters().*counter;
    const auto add = [&](const char* event, std::uint64_t n) { all[event] += static_cast<std::int64_t>(n); };
    add("hits", sum.hits), add("misses", sum.misses);
    if constexpr (P.l1d.mshr_merges > 1) add("hits on pending lines", sum.hit_pending);
    add("stores that invalidate", sum.store_invalidations), add("atomics", sum.atomics);
    add("non-L1 requests", sum.non_l1), add("flushes", sum.flushes);
    constexpr const hw::PolicyTraits& policy = hw::traits_of(P.l1d.bypass.kind);
    if constexpr (policy.kind != hw::BypassKind::none) add("loads past their cache", sum.bypasses);
    if constexpr (policy.before_lookup) add("loads past it without a lookup", sum.bypasses_load);
    if constexpr (policy.instead_of_fail)
      add("loads past it that find nothing to reserve", sum.bypasses_stall);
  }

  // What moves at this edge.
  void transfers(const Inputs& in) {
    still_ = std::ranges::any_of(cores_, &DcCore::waits) ? still_ + 1 : 0;
    for (int c = 0; c < cores; ++c) {
      const bool asks = in.request[at(c)].has_value(), answers = shown_.response[at(c)].has_value();
      if (asks && shown_.request_ready[at(c)]) cores_[at(c)].accepted(now_), still_ = 0;
      if (answers && in.response_ready[at(c)]) answered_.set(at(c)), still_ = 0;
      if (answers && !in.response_ready[at(c)]) core_stalls_.set(at(c));
      if (asks && !shown_.request_ready[at(c)]) core_waits_.set(at(c));
    }
    for (int s = 0; s < slices; ++s) {
      if (in.slice_response[at(s)] && shown_.slice_response_ready[at(s)]) {
        if (!faults_.adds(s)) memory_side_[at(s)].taken();
        still_ = 0;
      }
      const auto& asked = shown_.slice_request[at(s)];
      if (asked && !in.slice_request_ready[at(s)]) slice_stalls_.set(at(s));
      if (in.slice_response[at(s)] && !shown_.slice_response_ready[at(s)]) slice_waits_.set(at(s));
      if (!asked || !in.slice_request_ready[at(s)]) continue;
      memory_side_[at(s)].accept(memory_, *asked, line);
      still_ = 0;
      reached_.set(at(s));
    }
    if (in.flush && shown_.flush_ready) flushing_ = false;
  }

  void forget() {
    ++seen_["reset"];
    still_ = 0;
    upsets_.reset();
    for (DcCore& core : cores_) core.reset();
    for (SliceMemory& side : memory_side_) side.reset();
    memory_.clear();
    flushing_ = false;
  }

  Alone golden_;
  CacheUpsets upsets_;               // of none where nothing is protected
  std::mt19937_64 control_draw_{1};  // apart from all else, which does not depend on what caches follow
  ControlsStimulus controls_stimulus_{P.l1d};
  std::array<golden::Controls, caches> controls_{};
  Phase phase_;
  std::uint64_t slow_ = 1, slice_stall_ = 0, flushes_shown_ = 0;
  Inputs last_;
  bool first_ = true, flushing_ = false;
  std::vector<DcCore> cores_;
  std::array<SliceMemory, slices> memory_side_{};
  DcFaults faults_{slices_of(P)};
  ByteMemory memory_;
  Shown shown_;
  std::bitset<128> answered_, core_stalls_, core_waits_;   // cores
  std::bitset<128> reached_, slice_stalls_, slice_waits_;  // slices
  std::int64_t now_ = 0;
  // Cycles since a message moved at a port, while a core waits for an answer; neighbours never wait as long.
  static constexpr std::int64_t longest_still = 4000;
  std::int64_t still_ = 0;
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
