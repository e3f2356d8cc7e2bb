// Lock step of an L1 data cache in banks and its reference model, under random requests at all ports or a
// kernel's trace, with properties that do not come from the model: each request is answered once, at its
// port, and who stores at a port and then loads the same bytes there never sees the older ones.
#pragma once
#include <array>

#include "cosim/banks/banked_faults.h"
#include "cosim/banks/banked_goals.h"
#include "cosim/banks/banked_rules.h"
#include "cosim/banks/banked_trace.h"
#include "cosim/harness/port_name.h"
#include "cosim/l1d/cache_upsets.h"
#include "cosim/l1d/controls_stimulus.h"
#include "cosim/l1d/counters_report.h"
#include "cosim/l1d/inner_ports.h"
#include "cosim/l1d/l1d_compare.h"
#include "cosim/l1d/l1d_port_map.h"
#include "cosim/noc/dc_ports.h"
#include "cosim/noc/dc_traffic.h"
#include "golden/banks/banked_l1d.h"

namespace verif {

template <class Dut, hw::BankedL1dParams P, class Ports>
class BankedL1dBench {
 public:
  using Message = golden::Message;
  static constexpr hw::L1dParams bank = hw::bank_of(P);
  static constexpr int banks = P.banks, line = P.l1d.line_bytes, chunk = P.l1d.chunk_bytes;
  static constexpr hw::SidebandBits sideband = hw::sideband_bits(P.l1d);
  static constexpr bool protects = hw::is_protected(P.l1d.ecc);
  struct Inputs {
    bool rst = false, flush = false;
    std::array<std::optional<Message>, banks> request{};
    std::array<bool, banks> response_ready{};
    bool memory_request_ready = false;
    std::optional<Message> memory_response = {};
    std::array<golden::Controls, banks> controls{};
  };
  struct Alone {
    golden::BankedL1d golden{P};
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      const auto driven = as_golden(in);
      kept += golden.outputs(driven).flush_ready;
      golden.edge(driven);
    }
  };

  BankedL1dBench() {
    // Lines of single ports lie in all banks.
    const DcShape shape{P.l1d.address_bits, line, chunk, P.l1d.core_id_bits, banks + 1};
    for (int p = 0; p < banks; ++p) ports_.emplace_back(shape, p);
  }

  // RAMs of a user's Verilog cannot be reached.
  void see_state(const SeenState& state) {
    for (int b = 0; b < banks && protects && state.complete(); ++b)
      upsets_.add(bank, state, fmt::format("bank{}.cache.", b), golden_.bank(b), static_cast<unsigned>(b));
  }

  // From now on its inputs are those of a trace.
  void follow(const std::string& trace, const CosimOptions& options) {
    trace_ = std::make_unique<BankedTrace>(P, trace, options);
    before_ = golden_.counters();
    begins_ = true;
  }
  bool done() const { return trace_->over(); }
  TraceResult result() { return trace_->result(difference(golden_.counters(), before_)); }

  Inputs draw(std::mt19937_64& draw) {
    if (trace_) return of_trace();
    if (!faults_.running()) upsets_.cycle();
    if (phase_.next(draw)) {
      const bool all_hurry = once_in(hurry_draw_, 8);
      for (DcCore& port : ports_) {
        port.new_phase(draw);
        if (all_hurry) port.hurry();
      }
      slow_ = std::array{1, 2, 8, 40}[draw() % 4];
      memory_stall_ = std::array{0, 0, 1, 4, 7}[draw() % 5];
      controls_stimulus_.open_phase(control_draw_);
    }
    Inputs in{.rst = once_in(draw, 20'000) || faults_.ends() || upsets_.needs_reset()};
    flushing_ = flushing_ || once_in(draw, 4000);
    in.flush = flushing_ && !in.rst;
    for (int p = 0; p < banks; ++p) {
      const auto& request = ports_[at(p)].next(draw);
      if (!in.rst) in.request[at(p)] = request;
      in.response_ready[at(p)] = ports_[at(p)].response_ready(draw);
    }
    memory_side_.next(draw, slow_);
    if (const Message* m = memory_side_.shown(); m && !in.rst) in.memory_response = *m;
    if (!in.rst)
      faults_.alter(
          draw, [&] { memory_side_.taken(); }, in.memory_response);
    in.memory_request_ready = draw() % 8 >= memory_stall_;
    for (golden::Controls& controls : controls_) controls_stimulus_.drive(controls, control_draw_);
    in.controls = controls_;
    return in;
  }

  static void drive(Dut& d, const Inputs& in) {
    each_port([&]<int p>() {
      request<p>(d).drive(pointer(in.request[p]), line);
      response<p>(d).ready = in.response_ready[p];
    });
    Ports::memory_response(d, as_response).drive(pointer(in.memory_response), line);
    d.memory_request_ready = in.memory_request_ready;
    d.flush_valid = in.flush;
    Ports::each_input(d, [&]<PortName name>(auto& port) {
      if constexpr (is_of_bank(name.view())) {
        golden::L1dIn cache;
        cache.controls = in.controls[bank_in(name.view())];
        drive_port<name, bank_letters>(port, cache);
      }
    });
  }

  static std::string words(const Inputs& in) {
    std::string text;
    const auto add = [&](const std::string& who, const std::optional<Message>& m) {
      if (m)
        text += fmt::format("{} {:#x} kind {} {:#x} mask {:#x}, ", who, m->id, static_cast<int>(m->kind),
                            m->address, m->mask);
    };
    for (int p = 0; p < banks; ++p) add(fmt::format("port{}", p), in.request[at(p)]);
    add("memory", in.memory_response);
    return text + (in.flush ? "flush" : "");
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) {
      rules_.reset();
      return faults_.reset(dut);
    }
    shown_ = look(dut);
    const golden::BankedL1d::Out& want = golden_.outputs(as_golden(in));
    if (const auto d = faults_.unfounded(dut, want)) return d;
    if (faults_.broken()) return same_banks(dut, want);
    if (const auto d = against_golden(want)) return d;
    if (const auto d = same_banks(dut, want)) return d;
    if (const auto d = by_the_rules(dut, in)) return d;
    if (!faults_.running()) see_upsets();
    for (int p = 0; p < banks && !trace_ && !faults_.running(); ++p) {
      DcCore& port = ports_[at(p)];
      if (shown_.response[at(p)] && in.response_ready[at(p)])
        if (const auto d = port.answered(*shown_.response[at(p)])) return d;
      if (now_ % 1024 == 0)
        if (const auto d = port.overdue(now_)) return d;
    }
    if (trace_ && !trace_->wrong().empty()) return Difference{trace_->wrong() + ", of the scoreboard", 1, 0};
    return {};
  }

  void edge(const Inputs& in) {
    const auto driven = as_golden(in);
    const golden::BankedL1d::Out& out = golden_.outputs(driven);
    goals_.count(driven, out);
    if (trace_)
      trace_->edge(driven, out);
    else if (in.rst)
      forget();
    else
      transfers(in);
    golden_.edge(driven);
    ++now_;
  }

  void add_golden(Waves& waves) { waves.add_golden("flushing", 1, &flushes_shown_); }

  bool flips_bits() const { return upsets_.of_some_cache(); }

  Goals goals() {
    Goals all = goals_.seen();
    const golden::L1dCounters c = golden_.counters();
    const auto add = [&](const char* event, std::uint64_t n) { all[event] = static_cast<std::int64_t>(n); };
    add("hits", c.hits), add("misses", c.misses), add("atomics", c.atomics);
    if constexpr (P.l1d.mshr_merges > 1) add("hits on pending lines", c.hit_pending);
    add("stores that find a line", c.store_invalidations + c.store_updates);
    add("non-L1 requests", c.non_l1), add("flushes", c.flushes);
    std::int64_t close = 0;
    for (const DcCore& port : ports_) close += port.close_behind();
    all["a load close behind a store to the same bytes"] = close;
    faults_.goals(all);
    all.merge(upsets_.goals());
    return all;
  }

 private:
  static constexpr std::size_t bank_letters = 6;  // "bank0_"
  static constexpr bool is_of_bank(std::string_view port) {
    return port.starts_with("bank") && port.size() > bank_letters && port[bank_letters - 1] == '_';
  }
  static constexpr std::size_t bank_in(std::string_view port) {
    return static_cast<std::size_t>(port[bank_letters - 2] - '0');
  }

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static const Message* pointer(const std::optional<Message>& m) { return m ? &*m : nullptr; }

  template <class Visit>
  static void each_port(const Visit& visit) {
    [&]<int... p>(std::integer_sequence<int, p...>) { (visit.template operator()<p>(), ...); }
    (std::make_integer_sequence<int, banks>());
  }
  template <int p>
  static auto request(Dut& d) {
    if constexpr (p == 0) return Ports::port0_request(d, as_request_with<sideband>);
    if constexpr (p == 1) return Ports::port1_request(d, as_request_with<sideband>);
    if constexpr (p == 2) return Ports::port2_request(d, as_request_with<sideband>);
    if constexpr (p == 3) return Ports::port3_request(d, as_request_with<sideband>);
  }
  template <int p>
  static auto response(Dut& d) {
    if constexpr (p == 0) return Ports::port0_response(d, as_response);
    if constexpr (p == 1) return Ports::port1_response(d, as_response);
    if constexpr (p == 2) return Ports::port2_response(d, as_response);
    if constexpr (p == 3) return Ports::port3_response(d, as_response);
  }

  Inputs of_trace() {
    Inputs in{.rst = std::exchange(begins_, false)};
    in.response_ready.fill(true);
    const golden::L1dIn& memory = trace_->memory();
    in.memory_request_ready = memory.memory_request_ready;
    if (in.rst) return in;
    if (memory.memory_response_valid) {
      in.memory_response = Message{.id = memory.memory_response_id, .mask = memory.memory_response_mask};
      if (memory.memory_response_data) in.memory_response->data = *memory.memory_response_data;
    }
    for (int p = 0; p < banks; ++p) in.request[at(p)] = trace_->request(p);
    in.flush = trace_->wants_flush();
    return in;
  }

  static golden::BankedL1d::In as_golden(const Inputs& in) {
    golden::BankedL1d::In g{.rst = in.rst, .flush_valid = in.flush};
    for (int p = 0; p < banks; ++p) {
      g.request[at(p)] = pointer(in.request[at(p)]);
      g.response_ready[at(p)] = in.response_ready[at(p)];
      g.controls[at(p)] = in.controls[at(p)];
    }
    golden::add_memory_side(g.memory, pointer(in.memory_response), in.memory_request_ready);
    return g;
  }

  // What the module shows.
  struct Shown {
    std::array<bool, banks> request_ready{};
    std::array<std::optional<Message>, banks> response{};
    std::optional<Message> memory_request;
    bool memory_response_ready = false, flush_ready = false;
  };

  static Shown look(Dut& dut) {
    Shown shown;
    each_port([&]<int p>() {
      shown.request_ready[p] = request<p>(dut).ready;
      shown.response[p] = response<p>(dut).shown(line);
    });
    shown.memory_request = Ports::memory_request(dut, as_request).shown(line);
    shown.memory_response_ready = dut.memory_response_ready;
    shown.flush_ready = dut.flush_ready;
    return shown;
  }

  std::optional<Difference> against_golden(const golden::BankedL1d::Out& want) const {
    std::optional<Difference> found;
    const auto check = [&](const std::optional<Difference>& d) {
      if (!found) found = d;
    };
    const auto same = [&](const std::string& port, bool got, bool expected) {
      if (got != expected) check(Difference{port, got, expected});
    };
    for (int p = 0; p < banks; ++p) {
      const std::string name = fmt::format("port{}_", p);
      same(name + "request_ready", shown_.request_ready[at(p)], want.request_ready[at(p)]);
      Message expected;
      const auto& answer = want.response[at(p)];
      if (answer) {
        expected.id = answer->id, expected.mask = answer->mask;
        if (answer->data) expected.data = *answer->data;
      }
      check(stream_difference(name + "response", shown_.response[at(p)], answer ? &expected : nullptr, false,
                              line, chunk));
    }
    const auto fetch = golden::memory_request(want.memory);
    check(stream_difference("memory_request", shown_.memory_request, pointer(fetch), true, line, chunk));
    same("memory_response_ready", shown_.memory_response_ready, want.memory.memory_response_ready);
    same("flush_ready", shown_.flush_ready, want.flush_ready);
    return found;
  }

  // All other outputs of the banks, by their names.
  std::optional<Difference> same_banks(Dut& dut, const golden::BankedL1d::Out& want) {
    std::optional<Difference> found;
    std::array<L1dSeen, banks> seen{};
    Ports::each_output(dut, [&]<PortName name>(const auto& port) {
      if constexpr (is_of_bank(name.view())) {
        constexpr std::size_t b = bank_in(name.view());
        show_port<name, bank_letters>(port, seen[b]);
        constexpr std::string_view event = name.view().substr(bank_letters);
        if constexpr (event.starts_with("event_")) {
          const std::uint64_t expected =
              event_of(golden_.bank(static_cast<int>(b)).events(), event.substr(6));
          if (port != expected && !found && !faults_.broken())
            found = Difference{std::string(name.view()), port, expected};
        }
      }
    });
    for (int b = 0; b < banks && !found; ++b) {
      if (!faults_.counts(b)) continue;
      const golden::L1dOut rest = rest_of(*want.bank[at(b)]);
      if (compare_.ports(seen[at(b)], rest)) continue;
      const Mismatch& m = compare_.found();
      found = Difference{fmt::format("bank{}_{}", b, m.port), m.dut, m.golden};
    }
    return found;
  }
  // Without the streams and the flush, which are ports of the whole.
  static golden::L1dOut rest_of(const golden::L1dOut& out) {
    golden::L1dOut rest = out;
    rest.core_request_ready = rest.core_response_valid = rest.memory_request_valid = false;
    rest.memory_response_ready = rest.flush_ready = false;
    return rest;
  }

  // With every ready of the neighbours inverted, and back.
  std::optional<Difference> by_the_rules(Dut& dut, const Inputs& in) {
    Inputs other = in;
    for (bool& ready : other.response_ready) ready = !ready;
    other.memory_request_ready = !in.memory_request_ready;
    drive(dut, other);
    dut.eval();
    const Shown under_others = look(dut);
    rules_.probe(under_others.response, under_others.memory_request);
    drive(dut, in);
    dut.eval();
    return rules_.cycle(shown_.response, in.response_ready, shown_.memory_request, in.memory_request_ready);
  }

  // What moves at this edge.
  void transfers(const Inputs& in) {
    for (int p = 0; p < banks; ++p)
      if (in.request[at(p)] && shown_.request_ready[at(p)]) ports_[at(p)].accepted(now_);
    const bool filled = in.memory_response && shown_.memory_response_ready;
    if (filled && !faults_.adds()) memory_side_.taken();
    faults_.edge(in.memory_response, filled);
    if (shown_.memory_request && in.memory_request_ready)
      memory_side_.accept(memory_, *shown_.memory_request, line);
    if (in.flush && shown_.flush_ready) flushing_ = false;
    flushes_shown_ = flushing_;
  }

  // A load that is reported may see stores behind it.
  void see_upsets() {
    upsets_.watch();
    upsets_.each_late([&](std::uint64_t id) { ports_[id >> P.l1d.core_id_bits].may_be_late(id); });
  }

  void forget() {
    upsets_.reset();
    for (DcCore& port : ports_) port.reset();
    memory_side_.reset();
    memory_.clear();
    flushing_ = false;
  }

  golden::BankedL1d golden_{P};
  std::mt19937_64 control_draw_{1};  // apart from all else, which does not depend on what caches follow
  std::mt19937_64 hurry_draw_{1};    // of phases in which all ports hurry
  ControlsStimulus controls_stimulus_{bank};
  std::array<golden::Controls, banks> controls_{};
  Phase phase_;
  std::uint64_t slow_ = 1, memory_stall_ = 0, flushes_shown_ = 0;
  bool flushing_ = false;
  std::vector<DcCore> ports_;
  SliceMemory memory_side_;
  ByteMemory memory_;
  L1dCompare compare_{bank};
  BankedRules<P> rules_;
  Shown shown_;
  std::unique_ptr<BankedTrace> trace_;
  bool begins_ = false;
  golden::L1dCounters before_;
  BankedGoals goals_{P};
  BankedFaults<Dut, P, Ports> faults_;
  CacheUpsets upsets_;  // of none where nothing is protected
  std::int64_t now_ = 0;
};

}  // namespace verif
