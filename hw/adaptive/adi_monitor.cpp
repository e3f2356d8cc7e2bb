#include "hw/adaptive/adi_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "hw/adaptive/adi_ranges.h"
#include "hw/adaptive/adi_selection.h"
#include "hw/adaptive/adi_victimization.h"
#include "hw/geometry_ranges.h"
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

// The monitor while it is built; members in the order of the Verilog.
struct AdiMonitorBuilder {
  const AdiMonitorParams& p;
  rtl::Module m;
  const int s = index_bits(p), width = sel_bits(p), low = offset_bits(p);
  const bool counts_idle = p.idle != 0 && !p.steered;
  const int count_bits =
      std::bit_width(static_cast<unsigned>((counts_idle ? std::max(p.period, p.idle) : p.period) - 1));

  Expr probe_valid = {}, probe_block_address = {}, probe_miss = {}, flush_ready = {}, flush_valid = {};
  std::vector<Expr> sel_out = {}, sel_q = {};
  Expr phase_q = {}, count_q = {}, searching_victim = {}, searching_winner = {}, counted = {},
       phase_ends = {};
  Expr sels = {}, index = {}, victim = {}, winner = {}, winner_done = {}, winner_moves = {};
  Expr arranging_q = {}, victim_found = {}, arranged = {}, flush_q = {}, miss_q = {}, sampled_miss = {},
       sampled_load = {};
  Expr adi_start = {}, round_done = {}, begins = {}, flush_waits = {}, waiting_start = {}, decided = {};

  void ports() {
    probe_valid = m.input("probe_valid", 1, "a load is probed and does not end in RESERVATION_FAIL");
    probe_block_address = m.input("probe_block_address", block_address_bits(p),
                                  fmt::format("A[{}:{}] of its byte address", p.address_bits - 1, low));
    probe_miss = m.input("probe_miss", 1, "the load is a MISS, PARTIAL_MISS or BYPASS");
    for (int i = 0; i < s; ++i)
      sel_out.push_back(
          m.output(fmt::format("sel{}", i), width, fmt::format("address bit that is index bit {}", i)));
    flush_valid = m.output("flush_valid", 1, "sel changes when the cache is ready: flush it");
    flush_ready = m.input("flush_ready", 1, "the flush takes effect in this cycle");
    if (!p.steered) return;
    adi_start = m.input("adi_start", 1, "a round begins; one under way is cancelled");
    round_done = m.output("round_done", 1, "a round ends, with its flush");
  }

  // A round begins in the next cycle: at once, or when the flush that waits is over.
  void rounds() {
    if (!p.steered) return;
    flush_q = m.reg("flush_q", 1, 0, "phase 4 has a winner that is not the victim");
    const Expr start_q = m.reg("start_q", 1, 0, "adi_start came while the flush waited");
    flush_waits = m.let("flush_waits", flush_q & ~flush_ready, "the flush of the round takes more cycles");
    waiting_start = m.let("starts", adi_start | start_q, "a round is to begin");
    begins = m.let("begins", waiting_start & ~flush_waits, "victimization begins in the next cycle");
    m.clocked("A start waits for the flush.", [&] { m.set(start_q, waiting_start & flush_waits); });
  }

  Expr in(Phase phase) { return phase_q == phase_constant(m, phase); }

  void phases() {
    m.section(
        "Phases: victimization counts misses for each index bit, and a search finds the victim; selection "
        "counts changes of each address bit, and a search finds the winner; a flush; a pause.");
    phase_q = m.reg("phase_q", phase_constant(m, p.steered ? idle : victimization), "phase");
    m.observe("phase", phase_q);
    count_q = m.reg("count_q", count_bits, 0, "loads counted in this phase");
    rounds();
    if (s > 1) {
      arranging_q = m.reg("arranging_q", 1, 0, "phase 1 has found the victim and arranges the candidates");
      searching_victim = m.let("searching_victim", in(victim_search) & ~arranging_q, "phase 1");
    }
    searching_winner = m.let("searching_winner", in(winner_search), "phase 3");
    const Expr missed = in(victimization)&probe_valid & probe_miss;
    sampled_miss =
        m.let("sampled_miss", p.steered ? missed & ~begins : missed, "victimization counts misses");
    sampled_load = m.let("sampled_load", in(selection)&probe_valid, "selection counts loads");
    const Expr last = m.constant("LAST_SAMPLE", count_bits, static_cast<std::uint64_t>(p.period) - 1,
                                 fmt::format("of a phase of {} samples", p.period));
    counted = sampled_miss | sampled_load;
    Expr limit = last;
    if (counts_idle) {
      counted = counted | (in(idle)&probe_valid);
      const Expr last_idle = m.constant("LAST_IDLE", count_bits, static_cast<std::uint64_t>(p.idle) - 1,
                                        fmt::format("of a pause of {} loads", p.idle));
      limit = mux(in(idle), last_idle, last);
    }
    counted = m.let("counted", counted, "a load of which the phase has a number to see");
    phase_ends = m.let("phase_ends", counted & (count_q == limit), "the last of them");
  }

  void selected_bits() {
    m.section("The index: address bit sel_q of each index bit.");
    for (int i = 0; i < s; ++i)
      sel_q.push_back(m.reg(fmt::format("sel{}_q", i), width, static_cast<std::uint64_t>(low + i),
                            fmt::format("address bit of index bit {}", i)));
    sels = m.let("sels", rtl::cat({sel_q.rbegin(), sel_q.rend()}), "all of sel, index bit 0 lowest");
    m.observe("sel", sels, {{"index bit", s}});
    if (s == 1) return;
    std::vector<Expr> address, bits;
    if (p.address_bits < 1 << width) address.push_back(lit((1 << width) - p.address_bits, 0));
    address.push_back(probe_block_address);
    address.push_back(lit(low, 0));
    const auto byte_address = m.let("byte_address", rtl::cat(address), "of the load, offset bits 0");
    for (int i = s - 1; i >= 0; --i) bits.push_back(byte_address.at(sel_q[static_cast<std::size_t>(i)]));
    index = m.data_reg("index_q", s, "the index of the load before");
    miss_q = m.reg("miss_q", 1, 0, "the load is a sample of victimization");
    m.clocked("Index of a load.", [&] {
      m.set(index, rtl::cat(bits));
      m.set(miss_q, sampled_miss);
    });
    victim = m.wire("victim", s, "the index bit to replace, one-hot");
  }

  void parts() {
    winner = m.wire("winner", width, "the address bit to replace it, or the same");
    winner_done = m.wire("winner_done", 1, "phase 3 ends");
    winner_moves = m.wire("winner_moves", 1, "the winner of selection is not the victim");
    std::vector<std::pair<std::string, Expr>> pins{{"clear", in(victimization)},
                                                   {"sample", sampled_load},
                                                   {"block_address", probe_block_address},
                                                   {"sels", sels},
                                                   {"search", searching_winner},
                                                   {"done", winner_done},
                                                   {"moves", winner_moves},
                                                   {"winner", winner}};
    if (s > 1) {
      victim_found = m.wire("victim_found", 1, "the victim is known from the next cycle on");
      arranged = m.wire("arranged", 1, "phase 1 ends");
      m.instance(adi_victimization(p, m.name() + "_victimization"), "victimization",
                 {{"clear", p.steered ? in(selection) | begins : in(selection)},
                  {"sample", miss_q},
                  {"index_bits", index},
                  {"search", searching_victim},
                  {"done", victim_found},
                  {"victim", victim}},
                 "The index bit that distinguishes sets the least.");
      for (const auto& [name, value] : {std::pair{"index_bits", index},
                                        {"victim", victim},
                                        {"arrange", arranging_q},
                                        {"arranged", arranged}})
        pins.emplace_back(name, value);
    } else {
      arranged = lit(1, 1);
    }
    m.instance(adi_selection(p, m.name() + "_selection"), "selection", pins,
               "The address bit that changes most.");
    decided = p.steered ? m.let("decided", winner_done & searching_winner & ~begins,
                                "the winner is found, and no new round begins")
                        : winner_done;
  }

  void outputs() {
    m.section("Outputs");
    if (!p.steered) flush_q = m.reg("flush_q", 1, 0, "phase 4 has a winner that is not the victim");
    m.assign(flush_valid, flush_q);
    for (std::size_t i = 0; i < sel_q.size(); ++i) m.assign(sel_out[i], sel_q[i]);
    if (!p.steered) return;
    const Expr kept = decided & ~winner_moves, moved = flush_q & flush_ready & ~waiting_start;
    m.assign(round_done, kept | moved);
  }

  void steps() {
    m.clocked("Count loads.", [&] {
      const auto moves = p.steered ? counted | begins : counted,
                 over = p.steered ? phase_ends | begins : phase_ends;
      m.when(moves, [&] { m.set(count_q, mux(over, lit(count_bits, 0), count_q + lit(count_bits, 1))); });
    });
    const auto go_if = [&](const Expr& condition, Phase next) {
      return std::function<void()>(
          [this, condition, next] { m.when(condition, [&] { m.set(phase_q, phase_constant(m, next)); }); });
    };
    const auto next_phase = [&] {
      const Phase behind = p.steered || p.idle ? idle : victimization;
      m.pick(
          phase_q,
          {{victimization, go_if(phase_ends, victim_search)},
           {victim_search, go_if(arranged, selection)},
           {selection, go_if(phase_ends, winner_search)},
           {winner_search, go_if(decided, flush)},
           {flush, go_if(~flush_q | flush_ready, behind)}},
          counts_idle ? go_if(phase_ends, victimization)
                      : [this, behind] { m.set(phase_q, phase_constant(m, behind)); });
    };
    m.clocked("Next phase.", [&] {
      if (!p.steered) return next_phase();
      m.when(begins, [&] { m.set(phase_q, phase_constant(m, victimization)); }).otherwise(next_phase);
    });
    if (s > 1)
      m.clocked("Candidates are arranged once the victim is known.", [&] {
        const Expr arranges = victim_found | (arranging_q & ~arranged);
        m.set(arranging_q, p.steered ? arranges & ~begins : arranges);
      });
    m.clocked("A winner that is not the victim waits for the cache.",
              [&] { m.set(flush_q, mux(decided, winner_moves, flush_q & ~flush_ready)); });
    m.clocked("The winner replaces the victim.", [&] {
      m.when(flush_q & flush_ready, [&] {
        if (s == 1) m.set(sel_q[0], winner);
        for (int i = 0; s > 1 && i < s; ++i)
          m.when(victim.bit(i), [&] { m.set(sel_q[static_cast<std::size_t>(i)], winner); });
      });
    });
  }
};

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
  AdiMonitorBuilder b{
      p, rtl::Module(name,
                     fmt::format("Adaptive-indexing monitor for {} sets of {}-byte lines: which address bits "
                                 "index best (ACI thesis, section 3.3).",
                                 p.sets, p.line_bytes))};
  b.ports();
  b.phases();
  b.selected_bits();
  b.parts();
  b.outputs();
  b.steps();

  AdiMonitorFacts facts;
  facts.victimization_bits = s > 1 ? p.counter_bits * counters(p) : 0;
  facts.selection_bits = candidates(p) * (entries(p) + p.counter_bits);
  facts.sel_bits = s * sel_bits(p);
  facts.valid_bits = entries(p);
  facts.control_bits =
      flop_bits(b.m) - facts.victimization_bits - facts.selection_bits - facts.sel_bits - facts.valid_bits;
  facts.victim_search = s > 1 ? counters(p) + block_address_bits(p) + 5 : 1;
  facts.winner_search = block_address_bits(p) + 3;
  return {b.m, facts};
}

}  // namespace hw
