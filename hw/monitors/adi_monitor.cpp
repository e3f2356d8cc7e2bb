#include "hw/monitors/adi_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/geometry_ranges.h"
#include "hw/monitors/adi_ranges.h"
#include "hw/monitors/adi_selection.h"
#include "hw/monitors/adi_victimization.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

namespace {

enum Phase { victimization, victim_search, selection, winner_search, flush, idle };
constexpr int phase_bits = 3;

Expr phase_constant(rtl::Module& m, Phase phase) {
  static constexpr std::array names{"PHASE_VICTIMIZATION", "PHASE_VICTIM_SEARCH", "PHASE_SELECTION",
                                    "PHASE_WINNER_SEARCH", "PHASE_FLUSH",         "PHASE_IDLE"};
  return m.constant(names[phase], phase_bits, phase);
}

// All flops of the module and its parts, each of which stands once.
int flop_bits(const rtl::Module& top) {
  int bits = 0;
  for (const rtl::Module& m : rtl::modules_of(top)) {
    for (const rtl::Signal& signal : m.data().signals)
      if (signal.role == rtl::Role::reg) bits += signal.width;
    for (const rtl::Store& store : m.data().mems) bits += store.mem.depth * store.mem.width;
  }
  return bits;
}

// The module with its parameters and sizes.
struct MonitorFrame {
  const AdiMonitorParams& p;
  rtl::Module m;
  const int s = index_bits(p), width = sel_bits(p), low = offset_bits(p);
  const bool counts_idle = p.idle != 0 && !p.steered;
  const int count_bits =
      std::bit_width(static_cast<unsigned>((counts_idle ? std::max(p.period, p.idle) : p.period) - 1));
};

// Of a steered monitor: a round begins, and ends.
struct SteeringPort {
  Expr start, done;
};
struct MonitorPorts {
  Expr probe_valid, block_address, miss;
  std::vector<Expr> sel;
  Expr flush_valid, flush_ready;
  std::optional<SteeringPort> steering;
};

MonitorPorts monitor_ports(MonitorFrame& f) {
  rtl::Module& m = f.m;
  MonitorPorts ports{
      .probe_valid = m.input("probe_valid", 1, "a load is probed and does not end in RESERVATION_FAIL"),
      .block_address = m.input("probe_block_address", block_address_bits(f.p),
                               fmt::format("A[{}:{}] of its byte address", f.p.address_bits - 1, f.low)),
      .miss = m.input("probe_miss", 1, "the load is a MISS, PARTIAL_MISS or BYPASS"),
      .sel = {},
      .flush_valid = {},
      .flush_ready = {},
      .steering = {}};
  for (int i = 0; i < f.s; ++i)
    ports.sel.push_back(
        m.output(fmt::format("sel{}", i), f.width, fmt::format("address bit that is index bit {}", i)));
  ports.flush_valid = m.output("flush_valid", 1, "sel changes when the cache is ready: flush it");
  ports.flush_ready = m.input("flush_ready", 1, "the flush takes effect in this cycle");
  if (f.p.steered)
    ports.steering =
        SteeringPort{.start = m.input("adi_start", 1, "a round begins; one under way is cancelled"),
                     .done = m.output("round_done", 1, "a round ends, with its flush")};
  return ports;
}

const char* const flush_doc = "phase 4 has a winner that is not the victim";

// Rounds of a steered monitor: one begins in the next cycle, at once or when the flush that waits is over.
struct Rounds {
  Expr flush_q, begins, starts;
};

Rounds rounds(MonitorFrame& f, const SteeringPort& steering, const Expr& flush_ready) {
  rtl::Module& m = f.m;
  const Expr flush_q = m.reg("flush_q", 1, 0, flush_doc),
             start_q = m.reg("start_q", 1, 0, "adi_start came while the flush waited");
  const Expr waits = m.let("flush_waits", flush_q & ~flush_ready, "the flush of the round takes more cycles");
  const Expr starts = m.let("starts", steering.start | start_q, "a round is to begin");
  const Expr begins = m.let("begins", starts & ~waits, "victimization begins in the next cycle");
  m.clocked("A start waits for the flush.", [&] { m.set(start_q, starts & waits); });
  return {flush_q, begins, starts};
}

// A search for the victim, where there are several index bits.
struct VictimSearch {
  Expr arranging_q, searching;
};
struct Phases {
  Expr phase_q, count_q;
  std::optional<Rounds> rounds;
  std::optional<VictimSearch> victim;
  Expr searching_winner, sampled_miss, sampled_load, counted, ends;

  Expr in(rtl::Module& m, Phase phase) const { return phase_q == phase_constant(m, phase); }
};

Phases phases(MonitorFrame& f, const MonitorPorts& ports) {
  rtl::Module& m = f.m;
  const AdiMonitorParams& p = f.p;
  m.section(
      "Phases: victimization counts misses for each index bit, and a search finds the victim; selection "
      "counts changes of each address bit, and a search finds the winner; a flush; a pause.");
  const Expr phase_q = m.reg("phase_q", phase_constant(m, p.steered ? idle : victimization), "phase");
  m.observe("phase", phase_q);
  const auto in = [&](Phase phase) { return phase_q == phase_constant(m, phase); };
  const Expr count_q = m.reg("count_q", f.count_bits, 0, "loads counted in this phase");
  std::optional<Rounds> of_rounds;
  if (ports.steering) of_rounds = rounds(f, *ports.steering, ports.flush_ready);
  std::optional<VictimSearch> victim;
  if (f.s > 1) {
    const Expr arranging_q =
        m.reg("arranging_q", 1, 0, "phase 1 has found the victim and arranges the candidates");
    victim =
        VictimSearch{arranging_q, m.let("searching_victim", in(victim_search) & ~arranging_q, "phase 1")};
  }
  const Expr searching_winner = m.let("searching_winner", in(winner_search), "phase 3");
  const Expr missed = in(victimization)&ports.probe_valid & ports.miss;
  const Expr sampled_miss =
      m.let("sampled_miss", of_rounds ? missed & ~of_rounds->begins : missed, "victimization counts misses");
  const Expr sampled_load = m.let("sampled_load", in(selection)&ports.probe_valid, "selection counts loads");
  const Expr last = m.constant("LAST_SAMPLE", f.count_bits, static_cast<std::uint64_t>(p.period) - 1,
                               fmt::format("of a phase of {} samples", p.period));
  Expr counts = sampled_miss | sampled_load, limit = last;
  if (f.counts_idle) {
    counts = counts | (in(idle)&ports.probe_valid);
    const Expr last_idle = m.constant("LAST_IDLE", f.count_bits, static_cast<std::uint64_t>(p.idle) - 1,
                                      fmt::format("of a pause of {} loads", p.idle));
    limit = mux(in(idle), last_idle, last);
  }
  const Expr counted = m.let("counted", counts, "a load of which the phase has a number to see");
  const Expr ends = m.let("phase_ends", counted & (count_q == limit), "the last of them");
  return {phase_q, count_q, of_rounds, victim, searching_winner, sampled_miss, sampled_load, counted, ends};
}

// The index of the load before, where it has several bits; `victim`: the bit to replace, a wire.
struct IndexSample {
  Expr index, miss_q, victim;
};
struct SelectedBits {
  std::vector<Expr> sel_q;
  Expr sels;
  std::optional<IndexSample> sample;
};

SelectedBits selected_bits(MonitorFrame& f, const Expr& block_address, const Expr& sampled_miss) {
  rtl::Module& m = f.m;
  m.section("The index: address bit sel_q of each index bit.");
  std::vector<Expr> sel_q;
  for (int i = 0; i < f.s; ++i)
    sel_q.push_back(m.reg(fmt::format("sel{}_q", i), f.width, static_cast<std::uint64_t>(f.low + i),
                          fmt::format("address bit of index bit {}", i)));
  const Expr sels = m.let("sels", rtl::cat({sel_q.rbegin(), sel_q.rend()}), "all of sel, index bit 0 lowest");
  m.observe("sel", sels, {{"index bit", f.s}});
  if (f.s == 1) return {sel_q, sels, {}};
  std::vector<Expr> address, bits;
  if (f.p.address_bits < 1 << f.width) address.push_back(lit((1 << f.width) - f.p.address_bits, 0));
  address.push_back(block_address);
  address.push_back(lit(f.low, 0));
  const Expr byte_address = m.let("byte_address", rtl::cat(address), "of the load, offset bits 0");
  for (auto q = sel_q.rbegin(); q != sel_q.rend(); ++q) bits.push_back(byte_address.at(*q));
  const Expr index = m.data_reg("index_q", f.s, "the index of the load before"),
             miss_q = m.reg("miss_q", 1, 0, "the load is a sample of victimization");
  m.clocked("Index of a load.", [&] {
    m.set(index, rtl::cat(bits));
    m.set(miss_q, sampled_miss);
  });
  return {sel_q, sels,
          IndexSample{index, miss_q, m.wire("victim", f.s, "the index bit to replace, one-hot")}};
}

// What the searches find; `arranged`: phase 1 ends.
struct Found {
  Expr winner, moves;
  std::optional<Expr> victim_found;  // where there are several index bits
  Expr arranged, decided;
};

Found searches(MonitorFrame& f, const Phases& phase, const SelectedBits& bits, const Expr& block_address) {
  rtl::Module& m = f.m;
  const auto& rounds = phase.rounds;
  const Expr winner = m.wire("winner", f.width, "the address bit to replace it, or the same"),
             done = m.wire("winner_done", 1, "phase 3 ends"),
             moves = m.wire("winner_moves", 1, "the winner of selection is not the victim");
  std::vector<std::pair<std::string, Expr>> pins{{"clear", phase.in(m, victimization)},
                                                 {"sample", phase.sampled_load},
                                                 {"block_address", block_address},
                                                 {"sels", bits.sels},
                                                 {"search", phase.searching_winner},
                                                 {"done", done},
                                                 {"moves", moves},
                                                 {"winner", winner}};
  std::optional<Expr> victim_found;
  Expr arranged = lit(1, 1);
  if (bits.sample) {
    const auto& [index, miss_q, victim] = *bits.sample;
    const VictimSearch& search = phase.victim.value();
    victim_found = m.wire("victim_found", 1, "the victim is known from the next cycle on");
    arranged = m.wire("arranged", 1, "phase 1 ends");
    const Expr selects = phase.in(m, selection);
    m.instance(adi_victimization(f.p, m.name() + "_victimization"), "victimization",
               {{"clear", rounds ? selects | rounds->begins : selects},
                {"sample", miss_q},
                {"index_bits", index},
                {"search", search.searching},
                {"done", *victim_found},
                {"victim", victim}},
               "The index bit that distinguishes sets the least.");
    pins.insert(
        pins.end(),
        {{"index_bits", index}, {"victim", victim}, {"arrange", search.arranging_q}, {"arranged", arranged}});
  }
  m.instance(adi_selection(f.p, m.name() + "_selection"), "selection", pins,
             "The address bit that changes most.");
  const Expr decided = rounds ? m.let("decided", done & phase.searching_winner & ~rounds->begins,
                                      "the winner is found, and no new round begins")
                              : done;
  return {winner, moves, victim_found, arranged, decided};
}

// Returns that phase 4 waits for the cache.
Expr monitor_outputs(MonitorFrame& f, const MonitorPorts& ports, const Phases& phase,
                     const SelectedBits& bits, const Found& found) {
  rtl::Module& m = f.m;
  m.section("Outputs");
  const Expr flush_q = phase.rounds ? phase.rounds->flush_q : m.reg("flush_q", 1, 0, flush_doc);
  m.assign(ports.flush_valid, flush_q);
  for (std::size_t i = 0; i < bits.sel_q.size(); ++i) m.assign(ports.sel[i], bits.sel_q[i]);
  if (ports.steering) {
    const Expr kept = found.decided & ~found.moves,
               moved = flush_q & ports.flush_ready & ~phase.rounds->starts;
    m.assign(ports.steering->done, kept | moved);
  }
  return flush_q;
}

void next_phases(MonitorFrame& f, const Phases& phase, const Found& found, const Expr& flushed) {
  rtl::Module& m = f.m;
  const auto& rounds = phase.rounds;
  const auto to = [&](Phase next) { m.set(phase.phase_q, phase_constant(m, next)); };
  const auto go_if = [&](const Expr& condition, Phase next) {
    return std::function<void()>([&m, &to, condition, next] { m.when(condition, [&] { to(next); }); });
  };
  const auto next_phase = [&] {
    const Phase behind = rounds || f.p.idle ? idle : victimization;
    const auto in = [&](Phase now) { return phase_constant(m, now); };
    m.pick(phase.phase_q,
           {{in(victimization), go_if(phase.ends, victim_search)},
            {in(victim_search), go_if(found.arranged, selection)},
            {in(selection), go_if(phase.ends, winner_search)},
            {in(winner_search), go_if(found.decided, flush)},
            {in(flush), go_if(flushed, behind)}},
           f.counts_idle ? go_if(phase.ends, victimization)
                         : std::function<void()>([&to, behind] { to(behind); }));
  };
  m.clocked("Next phase.", [&] {
    if (!rounds) return next_phase();
    m.when(rounds->begins, [&] { to(victimization); }).otherwise(next_phase);
  });
}

void steps(MonitorFrame& f, const Phases& phase, const SelectedBits& bits, const Found& found,
           const Expr& flush_q, const Expr& flush_ready) {
  rtl::Module& m = f.m;
  const auto& rounds = phase.rounds;
  m.clocked("Count loads.", [&] {
    const Expr moves = rounds ? phase.counted | rounds->begins : phase.counted,
               over = rounds ? phase.ends | rounds->begins : phase.ends;
    m.when(moves, [&] {
      m.set(phase.count_q, mux(over, lit(f.count_bits, 0), phase.count_q + lit(f.count_bits, 1)));
    });
  });
  next_phases(f, phase, found, ~flush_q | flush_ready);
  if (found.victim_found)
    m.clocked("Candidates are arranged once the victim is known.", [&] {
      const Expr& arranging_q = phase.victim->arranging_q;
      const Expr arranges = *found.victim_found | (arranging_q & ~found.arranged);
      m.set(arranging_q, rounds ? arranges & ~rounds->begins : arranges);
    });
  m.clocked("A winner that is not the victim waits for the cache.",
            [&] { m.set(flush_q, mux(found.decided, found.moves, flush_q & ~flush_ready)); });
  m.clocked("The winner replaces the victim.", [&] {
    m.when(flush_q & flush_ready, [&] {
      if (!bits.sample) return m.set(bits.sel_q[0], found.winner);
      for (int i = 0; i < f.s; ++i)
        m.when(bits.sample->victim.bit(i),
               [&] { m.set(bits.sel_q[static_cast<std::size_t>(i)], found.winner); });
    });
  });
}

}  // namespace

void check(const AdiMonitorParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(AdiRanges::sets, "index.sets", p.sets, "use 32, the sets of the reference cache");
  require_in(AdiRanges::counter_bits, "adaptive.counter_bits", p.counter_bits, "use 10 for a period of 1024");
  require(p.period >= 2 && p.period <= 1 << p.counter_bits, "adaptive.period", p.period,
          fmt::format("must be from 2 to {}, which {} counter bits can count", 1 << p.counter_bits,
                      p.counter_bits),
          "use a shorter period or more adaptive.counter_bits");
  require_in(AdiRanges::idle, "adaptive.idle", p.idle, "use 4096, four times the period");
}

AdiMonitor adi_monitor(const AdiMonitorParams& p, const std::string& name) {
  check(p);
  const int s = index_bits(p);
  MonitorFrame f{
      p, rtl::Module(name, fmt::format("Adaptive-indexing monitor for {} sets of {}-byte lines: which "
                                       "address bits index best (ACI thesis, section 3.3).",
                                       p.sets, p.line_bytes))};
  const MonitorPorts ports = monitor_ports(f);
  const Phases phase = phases(f, ports);
  const SelectedBits bits = selected_bits(f, ports.block_address, phase.sampled_miss);
  const Found found = searches(f, phase, bits, ports.block_address);
  const Expr flush_q = monitor_outputs(f, ports, phase, bits, found);
  steps(f, phase, bits, found, flush_q, ports.flush_ready);

  AdiMonitorFacts facts;
  facts.victimization_bits = s > 1 ? p.counter_bits * counters(p) : 0;
  facts.selection_bits = candidates(p) * (entries(p) + p.counter_bits);
  facts.sel_bits = s * sel_bits(p);
  facts.valid_bits = entries(p);
  facts.control_bits =
      flop_bits(f.m) - facts.victimization_bits - facts.selection_bits - facts.sel_bits - facts.valid_bits;
  facts.victim_search = s > 1 ? counters(p) + block_address_bits(p) + 5 : 1;
  facts.winner_search = block_address_bits(p) + 3;
  return {f.m, facts};
}

}  // namespace hw
