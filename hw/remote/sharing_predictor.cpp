#include "hw/remote/sharing_predictor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>
#include <vector>

#include "hw/prim/one_hot.h"
#include "hw/remote/remote_ranges.h"
#include "hw/require.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

struct PredictorMiss {
  Expr valid, pc;
};
// A reply, whose entry has a number where there are several.
struct PredictorReply {
  Expr valid;
  std::optional<Expr> slot;
};
struct PredictorResult {
  Expr shared, tracked;
  std::optional<Expr> slot;
};
struct PredictorPorts {
  PredictorMiss miss;
  PredictorReply reply;
  Expr clear;
  PredictorResult result;
};

PredictorPorts predictor_ports(rtl::Module& m, const SharingPredictorParams& p) {
  const int slot_bits = bits_to_number(p.entries);
  const PredictorMiss miss{m.input("miss", 1, "a load has missed"),
                           m.input("miss_pc", p.pc_bits, "instruction of the load")};
  PredictorReply reply{m.input("reply", 1, "a core has sent the data of a tracked miss"), {}};
  if (slot_bits) reply.slot = m.input("reply_slot", slot_bits, "the entry of that miss");
  const Expr clear = m.input("clear", 1, "all entries become free");
  PredictorResult result{m.output("shared", 1, "the miss is taken to be shared"),
                         m.output("tracked", 1, "the miss has an entry"),
                         {}};
  if (slot_bits) result.slot = m.output("slot", slot_bits, "number of the entry");
  return {miss, reply, clear, result};
}

// Fields of a free entry say nothing: they are written when it is taken.
struct PredictorEntries {
  Expr valid_q, pc_q;
  std::optional<Expr> state_q;  // where there are several states
  Expr misses_q, replies_q;
};

PredictorEntries predictor_entries(rtl::Module& m, const SharingPredictorParams& p) {
  const int n = p.entries, state_bits = predictor_state_bits(p);
  m.section("Entries.");
  const Expr valid_q = m.reg("valid_q", n, 0, "the entry has an instruction; the lowest come first"),
             pc_q = m.data_reg("pc_q", n * p.pc_bits, "the entry's instruction");
  std::optional<Expr> state_q;
  if (state_bits) state_q = m.data_reg("state_q", n * state_bits, "state of each entry");
  return {valid_q, pc_q, state_q, m.data_reg("misses_q", n * predictor_miss_bits(p), "misses of the window"),
          m.data_reg("replies_q", n * predictor_reply_bits(p), "replies in the window, up to all ones")};
}

// The entry of the miss: the one that matches, else a new one, if there is one; one-hot.
struct MissEntry {
  Expr match, known, bits, tracks;
};

MissEntry entry_of_miss(rtl::Module& m, const SharingPredictorParams& p, const PredictorEntries& entries,
                        const Expr& pc) {
  const int n = p.entries;
  const Expr& valid_q = entries.valid_q;
  m.section("The entry of the miss.");
  const char* doc = "the entry that has the instruction";
  const Expr now = m.wire(p.stages ? "match_now" : "match", n, doc);
  m.comb("Compare with each.", [&] {
    m.loop("entry", n,
           [&](const Expr& e) { m.set(now.at(e), valid_q.at(e) & (entries.pc_q.part(e, p.pc_bits) == pc)); });
  });
  Expr match = now;
  if (p.stages) {
    match = m.data_reg("match_q", n, "the entry that has the instruction of the cycle before");
    m.clocked("Keep the entry for a miss of the next cycle.", [&] { m.set(match, now); });
  }
  const Expr known = m.let("known", rtl::any(match), "the instruction has an entry");
  const Expr lowest = n == 1 ? ~valid_q : ~valid_q & rtl::cat({valid_q.slice(n - 2, 0), lit(1, 1)});
  const Expr first_free = m.let("first_free", lowest, "the lowest free entry, if there is one");
  const Expr bits =
      m.let("entry_bits", mux(known, match, first_free), "the entry of the miss, one-hot, or 0");
  return {match, known, bits, m.let("tracks", known | ~rtl::all(valid_q), "there is one")};
}

// Counters of the instruction that misses, and the entry of the reply. Of a new entry all are 0, since
// nothing matches.
struct InstructionCounts {
  std::optional<Expr> state;
  Expr misses, replied, more_replies, replies;
};

InstructionCounts counts_of_miss(rtl::Module& m, const SharingPredictorParams& p,
                                 const PredictorEntries& entries, const Expr& match,
                                 const PredictorReply& reply) {
  const int n = p.entries, state_bits = predictor_state_bits(p), reply_bits = predictor_reply_bits(p);
  m.section("Counters of the instruction.");
  std::optional<Expr> state;
  if (state_bits) state = m.wire("state", state_bits, "state of the instruction");
  const Expr misses = m.wire("misses", predictor_miss_bits(p), "misses of its window so far"),
             kept_replies = m.wire("kept_replies", reply_bits, "replies before this cycle");
  std::vector<std::pair<Expr, Expr>> gathered{{misses, entries.misses_q}, {kept_replies, entries.replies_q}};
  if (state) gathered.insert(gathered.begin(), {*state, entries.state_q.value()});
  m.comb("By AND and OR.", [&] {
    for (const auto& [into, all] : gathered) m.set(into, lit(into.width(), 0));
    m.loop("of", n, [&](const Expr& e) {
      for (const auto& [into, all] : gathered) {
        const int bits = into.width();
        m.set(into, into | (all.part(e, bits) & replicate(bits, match.at(e))));
      }
    });
  });
  const std::optional<Expr>& slot = reply.slot;  // of several entries
  const char* of_reply = "the entry that the reply is for";
  const Expr replied = slot ? one_hot_of(m, "replied", reply.valid, *slot, n, of_reply)
                            : m.let("replied", reply.valid, of_reply);
  const Expr before =
      m.let("replies_before", slot ? numbered(entries.replies_q, *slot, reply_bits) : entries.replies_q,
            "replies of that entry");
  const Expr more =
      m.let("more_replies", before + rtl::zext(~rtl::all(before), reply_bits), "one more, up to all ones");
  const Expr both = m.let("both", rtl::any(replied & match), "reply and miss are of one entry");
  return {state, misses, replied, more,
          m.let("replies", mux(both, more, kept_replies), "the reply comes first")};
}

// Of each state what holds there.
class PredictorStates {
 public:
  PredictorStates(rtl::Module& m, const SharingPredictorParams& p, const std::optional<Expr>& state)
      : m_(m), p_(p), state_(state) {}

  Expr in(int state) const {
    if (!state_) return lit(1, 1);
    const char* doc = state == 0 ? "strong shared" : state == p_.window.count - 1 ? "strong non-shared" : "";
    return *state_ == of_state("STATE", state, state_->width(), state, doc);
  }

  // A constant of one state: its number, or a parameter of it.
  Expr of_state(const char* name, int state, int width, int value, const char* doc = "") const {
    return m_.constant(fmt::format("{}_{}", name, state), width, static_cast<std::uint64_t>(value), doc);
  }

  template <class Of>
  Expr by_state(const Of& of) const {
    rtl::Optional some;
    for (int s = 0; s < p_.window.count; ++s) {
      const rtl::Condition holds = of(s);
      some |= holds.is_always() || state_ ? in(s)&holds : holds.when();
    }
    return *some;
  }

 private:
  rtl::Module& m_;
  const SharingPredictorParams& p_;
  const std::optional<Expr> state_;
};

// Whether the miss is taken to be shared, and what it leaves.
struct Prediction {
  Expr asks, ends;
  std::optional<Expr> next_state;
};

Prediction predict(rtl::Module& m, const SharingPredictorParams& p, const InstructionCounts& counts) {
  const PredictorStates states(m, p, counts.state);
  const Expr &misses = counts.misses, &replies = counts.replies;
  m.section("Prediction, and the end of a window.");
  const Expr asks = m.let("asks", states.by_state([&](int s) {
    return p.shared[s] == p.window[s]
               ? rtl::Condition::always()
               : rtl::Condition(misses < states.of_state("SHARED_MISSES", s, misses.width(), p.shared[s]));
  }),
                          "the miss is one of the first of its window");
  const Expr ends = m.let("ends", states.by_state([&](int s) {
    return misses == states.of_state("LAST_MISS", s, misses.width(), p.window[s] - 1);
  }),
                          "the miss is the last of its window");
  const Expr enough = m.let("enough", states.by_state([&](int s) {
    return replies >= states.of_state("ENOUGH_REPLIES", s, replies.width(), p.threshold[s]);
  }),
                            "there were replies enough");
  if (!counts.state) {
    m.unused("unused_enough", enough, "there is no other state");
    return {asks, ends, {}};
  }
  const Expr& state = *counts.state;
  const Expr one = lit(state.width(), 1);
  const Expr less = m.let("less_shared", mux(states.in(p.window.count - 1), state, state + one),
                          "the next less shared state");
  const Expr more = m.let("more_shared", mux(states.in(0), state, state - one), "the next more shared state");
  return {asks, ends,
          m.let("next_state", mux(ends, mux(enough, more, less), state), "state behind the miss")};
}

void predictor_outputs(rtl::Module& m, const PredictorPorts& ports, const MissEntry& entry,
                       const Expr& asks) {
  const auto& [miss, reply, clear, result] = ports;
  m.section("Outputs");
  m.assign(result.shared, miss.valid & entry.tracks & asks);
  m.assign(result.tracked, miss.valid & entry.tracks);
  if (!result.slot) return;
  const Expr slot = number_of(m, "entry_number", entry.bits, "number of the miss' entry");
  m.assign(*result.slot, slot & replicate(slot.width(), miss.valid));
}

void change_predictor(rtl::Module& m, const SharingPredictorParams& p, const PredictorPorts& ports,
                      const PredictorEntries& entries, const MissEntry& entry,
                      const InstructionCounts& counts, const Prediction& prediction) {
  const int n = p.entries;
  const Expr used =
      m.let("used", entry.bits & replicate(n, ports.miss.valid), "the entry that the miss changes");
  const Expr restarts = m.let("restarts", prediction.ends | ~entry.known, "a window begins with no reply");
  const auto set = [&](const Expr& all, const Expr& e, const Expr& value) {
    m.set(all.part(e, value.width()), value);
  };
  m.clocked("Entries in use.", [&] {
    m.when(ports.clear, [&] { m.set(entries.valid_q, lit(n, 0)); }).otherwise([&] {
      m.set(entries.valid_q, entries.valid_q | used);
    });
  });
  const int miss_bits = counts.misses.width();
  m.clocked("Reply first, then the miss.", [&] {
    m.loop("to", n, [&](const Expr& e) {
      m.when(counts.replied.at(e), [&] { set(entries.replies_q, e, counts.more_replies); });
      m.when(used.at(e), [&] {
        set(entries.pc_q, e, ports.miss.pc);
        if (entries.state_q) set(*entries.state_q, e, prediction.next_state.value());
        set(entries.misses_q, e,
            (counts.misses + lit(miss_bits, 1)) & replicate(miss_bits, ~prediction.ends));
        m.when(restarts, [&] { set(entries.replies_q, e, lit(counts.replies.width(), 0)); });
      });
    });
  });
}

rtl::Module predictor_by_instruction(const SharingPredictorParams& p, const std::string& name) {
  rtl::Module m(
      name,
      fmt::format("Predicts which read misses another core's L1 may have, by the instruction, for {} of "
                  "them (DC-L1 thesis, section 3.3.5).",
                  p.entries));
  const PredictorPorts ports = predictor_ports(m, p);
  const PredictorEntries entries = predictor_entries(m, p);
  const MissEntry entry = entry_of_miss(m, p, entries, ports.miss.pc);
  const InstructionCounts counts = counts_of_miss(m, p, entries, entry.match, ports.reply);
  const Prediction prediction = predict(m, p, counts);
  predictor_outputs(m, ports, entry, prediction.asks);
  change_predictor(m, p, ports, entries, entry, counts, prediction);
  const std::vector<rtl::Index> each{{"entry", p.entries}};
  m.observe("valid", entries.valid_q, each);
  m.observe("pc", entries.pc_q, each);
  if (entries.state_q) m.observe("state", *entries.state_q, each);
  m.observe("misses", entries.misses_q, each);
  m.observe("replies", entries.replies_q, each);
  return m;
}

rtl::Module always_shared(const SharingPredictorParams& p, const std::string& name) {
  rtl::Module m(name, "Takes every read miss to be shared (DC-L1 thesis, section 3.2).");
  const int slot_bits = bits_to_number(p.entries);
  const Expr miss = m.input("miss", 1, "a load has missed");
  const Expr pc = m.input("miss_pc", p.pc_bits, "instruction of the load");
  const Expr reply = m.input("reply", 1, "a core has sent the data of a tracked miss");
  std::vector<Expr> ignored{pc, reply};
  if (slot_bits) ignored.push_back(m.input("reply_slot", slot_bits, "the entry of that miss"));
  ignored.push_back(m.input("clear", 1, "all entries become free"));
  const Expr shared = m.output("shared", 1, "the miss is taken to be shared");
  const Expr tracked = m.output("tracked", 1, "the miss has an entry");
  m.unused("unused_inputs", rtl::cat(ignored), "there is nothing to learn");
  m.assign(shared, miss);
  m.assign(tracked, lit(1, 0));
  if (slot_bits) m.assign(m.output("slot", slot_bits, "number of the entry"), lit(slot_bits, 0));
  return m;
}

void check_states(const SharingPredictorParams& p) {
  const auto text = [](const StateNumbers& list) { return fmt::format("[{}]", fmt::join(list, ", ")); };
  require(p.window.count >= 1, "predictor.window", text(p.window), "must have 1 to 4 numbers, one a state",
          "use [32, 64, 128, 256], the thesis'");
  for (const auto& [key, list] :
       {std::pair{"predictor.shared", &p.shared}, {"predictor.threshold", &p.threshold}})
    require(list->count == p.window.count, key, text(*list),
            fmt::format("must have as many numbers as the {} of predictor.window", p.window.count),
            "give one for each state");
  for (int s = 0; s < p.window.count; ++s) {
    require(PredictorRanges::window.holds(p.window[s]), "predictor.window", text(p.window),
            fmt::format("must have numbers from {} to {}", PredictorRanges::window.least,
                        PredictorRanges::window.most),
            "use [32, 64, 128, 256], the thesis'");
    require(p.shared[s] >= 1 && p.shared[s] <= p.window[s], "predictor.shared", text(p.shared),
            fmt::format("must not exceed the {} misses of predictor.window in state {}", p.window[s], s),
            fmt::format("use 1 to {} there", p.window[s]));
    require(p.threshold[s] >= 1 && p.threshold[s] <= p.shared[s], "predictor.threshold", text(p.threshold),
            fmt::format("must not exceed the {} misses of predictor.shared in state {}", p.shared[s], s),
            fmt::format("use 1 to {} there", p.shared[s]));
  }
}

}  // namespace

void check(const SharingPredictorParams& p) {
  require_in(PredictorRanges::entries, "predictor.entries", p.entries, "use 64, the thesis'");
  require_in(PredictorRanges::pc_bits, "predictor.pc_bits", p.pc_bits, "use 16");
  require_in(PredictorRanges::stages, "predictor.stages", p.stages, "use 0");
  check_states(p);
}

rtl::Module sharing_predictor(const SharingPredictorParams& p, const std::string& name) {
  check(p);
  require(p.kind != PredictorKind::perfect, "predictor.kind", "perfect",
          "knows what other cores have, which only a model can", "use pc or always");
  return p.kind == PredictorKind::always ? always_shared(p, name) : predictor_by_instruction(p, name);
}

}  // namespace hw
