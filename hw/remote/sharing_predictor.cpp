#include "hw/remote/sharing_predictor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/remote_ranges.h"
#include "hw/require.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

class SharingPredictorBuilder {
 public:
  SharingPredictorBuilder(const SharingPredictorParams& p, const std::string& name)
      : p_(p),
        n_(p.entries),
        slot_bits_(bits_to_number(p.entries)),
        miss_bits_(predictor_miss_bits(p)),
        reply_bits_(predictor_reply_bits(p)),
        state_bits_(predictor_state_bits(p)),
        m_(name,
           fmt::format("Predicts which read misses another core's L1 may have, by the instruction, for {} of "
                       "them (DC-L1 thesis, section 3.3.5).",
                       p.entries)) {}

  rtl::Module run() {
    ports();
    entries();
    lookup();
    counts();
    next_state();
    outputs();
    changes();
    observed();
    return m_;
  }

 private:
  void ports() {
    miss_ = m_.input("miss", 1, "a load has missed");
    miss_pc_ = m_.input("miss_pc", p_.pc_bits, "instruction of the load");
    reply_ = m_.input("reply", 1, "a core has sent the data of a tracked miss");
    if (slot_bits_) reply_slot_ = m_.input("reply_slot", slot_bits_, "the entry of that miss");
    clear_ = m_.input("clear", 1, "all entries become free");
    shared_out_ = m_.output("shared", 1, "the miss is taken to be shared");
    tracked_out_ = m_.output("tracked", 1, "the miss has an entry");
    if (slot_bits_) slot_out_ = m_.output("slot", slot_bits_, "number of the entry");
  }

  // Fields of a free entry say nothing: they are written when it is taken.
  void entries() {
    m_.section("Entries.");
    valid_q_ = m_.reg("valid_q", n_, 0, "the entry has an instruction; the lowest come first");
    pc_q_ = m_.data_reg("pc_q", n_ * p_.pc_bits, "the entry's instruction");
    if (state_bits_) state_q_ = m_.data_reg("state_q", n_ * state_bits_, "state of each entry");
    misses_q_ = m_.data_reg("misses_q", n_ * miss_bits_, "misses of the window");
    replies_q_ = m_.data_reg("replies_q", n_ * reply_bits_, "replies in the window, up to all ones");
  }

  void lookup() {
    m_.section("The entry of the miss.");
    const char* doc = "the entry that has the instruction";
    const Expr now = m_.wire(p_.stages ? "match_now" : "match", n_, doc);
    m_.comb("Compare with each.", [&] {
      m_.loop("entry", n_, [&](const Expr& e) {
        m_.set(now.at(e), valid_q_.at(e) & (pc_q_.part(e, p_.pc_bits) == miss_pc_));
      });
    });
    match_ = now;
    if (p_.stages) {
      match_ = m_.data_reg("match_q", n_, "the entry that has the instruction of the cycle before");
      m_.clocked("Keep the entry for a miss of the next cycle.", [&] { m_.set(match_, now); });
    }
    known_ = m_.let("known", rtl::any(match_), "the instruction has an entry");
    const Expr lowest = n_ == 1 ? ~valid_q_ : ~valid_q_ & rtl::cat({valid_q_.slice(n_ - 2, 0), lit(1, 1)});
    const Expr first_free = m_.let("first_free", lowest, "the lowest free entry, if there is one");
    entry_ = m_.let("entry_bits", mux(known_, match_, first_free), "the entry of the miss, one-hot, or 0");
    tracks_ = m_.let("tracks", known_ | ~rtl::all(valid_q_), "there is one");
  }

  // Of a new entry all are 0, since nothing matches.
  void counts() {
    m_.section("Counters of the instruction.");
    if (state_bits_) state_ = m_.wire("state", state_bits_, "state of the instruction");
    misses_ = m_.wire("misses", miss_bits_, "misses of its window so far");
    kept_replies_ = m_.wire("kept_replies", reply_bits_, "replies before this cycle");
    const auto gather = [&](const Expr& into, const Expr& all, const Expr& e) {
      const int bits = into.width();
      m_.set(into, into | (all.part(e, bits) & replicate(bits, match_.at(e))));
    };
    m_.comb("By AND and OR.", [&] {
      if (state_bits_) m_.set(state_, lit(state_bits_, 0));
      m_.set(misses_, lit(miss_bits_, 0));
      m_.set(kept_replies_, lit(reply_bits_, 0));
      m_.loop("of", n_, [&](const Expr& e) {
        if (state_bits_) gather(state_, state_q_, e);
        gather(misses_, misses_q_, e);
        gather(kept_replies_, replies_q_, e);
      });
    });
    replied_ = one_hot_of(m_, "replied", reply_, reply_slot_, n_, "the entry that the reply is for");
    const Expr before =
        m_.let("replies_before", numbered(replies_q_, reply_slot_, reply_bits_), "replies of that entry");
    more_replies_ = m_.let("more_replies", before + rtl::zext(~rtl::all(before), reply_bits_),
                           "one more, up to all ones");
    const Expr both = m_.let("both", rtl::any(replied_ & match_), "reply and miss are of one entry");
    replies_ = m_.let("replies", mux(both, more_replies_, kept_replies_), "the reply comes first");
  }

  Expr in(int state) {
    if (!state_bits_) return lit(1, 1);
    const char* doc = state == 0 ? "strong shared" : state == p_.window.count - 1 ? "strong non-shared" : "";
    return state_ == of_state("STATE", state, state_bits_, state, doc);
  }

  // A constant of one state: its number, or a parameter of it.
  Expr of_state(const char* name, int state, int width, int value, const char* doc = "") {
    return m_.constant(fmt::format("{}_{}", name, state), width, static_cast<std::uint64_t>(value), doc);
  }

  // Of each state what holds there.
  template <class Of>
  Expr by_state(const Of& of) {
    rtl::Optional some;
    for (int s = 0; s < p_.window.count; ++s) {
      const rtl::Condition holds = of(s);
      some |= holds.is_always() || state_bits_ ? in(s)&holds : holds.when();
    }
    return *some;
  }

  void next_state() {
    m_.section("Prediction, and the end of a window.");
    asks_ = m_.let(
        "asks", by_state([&](int s) {
          return p_.shared[s] == p_.window[s]
                     ? rtl::Condition::always()
                     : rtl::Condition(misses_ < of_state("SHARED_MISSES", s, miss_bits_, p_.shared[s]));
        }),
        "the miss is one of the first of its window");
    ends_ = m_.let("ends", by_state([&](int s) {
                     return misses_ == of_state("LAST_MISS", s, miss_bits_, p_.window[s] - 1);
                   }),
                   "the miss is the last of its window");
    enough_ = m_.let("enough", by_state([&](int s) {
                       return replies_ >= of_state("ENOUGH_REPLIES", s, reply_bits_, p_.threshold[s]);
                     }),
                     "there were replies enough");
    if (!state_bits_) {
      m_.unused("unused_enough", enough_, "there is no other state");
      return;
    }
    const Expr one = lit(state_bits_, 1);
    const Expr less = m_.let("less_shared", mux(in(p_.window.count - 1), state_, state_ + one),
                             "the next less shared state");
    const Expr more = m_.let("more_shared", mux(in(0), state_, state_ - one), "the next more shared state");
    next_state_ = m_.let("next_state", mux(ends_, mux(enough_, more, less), state_), "state behind the miss");
  }

  void outputs() {
    m_.section("Outputs");
    m_.assign(shared_out_, miss_ & tracks_ & asks_);
    m_.assign(tracked_out_, miss_ & tracks_);
    if (!slot_bits_) return;
    const Expr slot = number_of(m_, "entry_number", entry_, "number of the miss' entry");
    m_.assign(slot_out_, slot & replicate(slot_bits_, miss_));
  }

  void changes() {
    const Expr used = m_.let("used", entry_ & replicate(n_, miss_), "the entry that the miss changes");
    const Expr restarts = m_.let("restarts", ends_ | ~known_, "a window begins with no reply");
    m_.clocked("Entries in use.", [&] {
      m_.when(clear_, [&] { m_.set(valid_q_, lit(n_, 0)); }).otherwise([&] {
        m_.set(valid_q_, valid_q_ | used);
      });
    });
    m_.clocked("Reply first, then the miss.", [&] {
      m_.loop("to", n_, [&](const Expr& e) {
        m_.when(replied_.at(e), [&] { m_.set(replies_q_.part(e, reply_bits_), more_replies_); });
        m_.when(used.at(e), [&] {
          m_.set(pc_q_.part(e, p_.pc_bits), miss_pc_);
          if (state_bits_) m_.set(state_q_.part(e, state_bits_), next_state_);
          m_.set(misses_q_.part(e, miss_bits_),
                 (misses_ + lit(miss_bits_, 1)) & replicate(miss_bits_, ~ends_));
          m_.when(restarts, [&] { m_.set(replies_q_.part(e, reply_bits_), lit(reply_bits_, 0)); });
        });
      });
    });
  }

  void observed() {
    const std::vector<rtl::Index> each{{"entry", n_}};
    m_.observe("valid", valid_q_, each);
    m_.observe("pc", pc_q_, each);
    if (state_bits_) m_.observe("state", state_q_, each);
    m_.observe("misses", misses_q_, each);
    m_.observe("replies", replies_q_, each);
  }

  const SharingPredictorParams& p_;
  const int n_, slot_bits_, miss_bits_, reply_bits_, state_bits_;
  rtl::Module m_;
  Expr miss_, miss_pc_, reply_, reply_slot_, clear_, shared_out_, tracked_out_, slot_out_;
  Expr valid_q_, pc_q_, state_q_, misses_q_, replies_q_;
  Expr match_, known_, entry_, tracks_, state_, misses_, kept_replies_, replied_, more_replies_, replies_;
  Expr asks_, ends_, enough_, next_state_;
};

rtl::Module always_shared(const SharingPredictorParams& p, const std::string& name) {
  rtl::Module m(name, "Takes every read miss to be shared (DC-L1 thesis, section 3.2).");
  const int slot_bits = bits_to_number(p.entries);
  const Expr miss = m.input("miss", 1, "a load has missed");
  const Expr pc = m.input("miss_pc", p.pc_bits, "instruction of the load");
  const Expr reply = m.input("reply", 1, "a core has sent the data of a tracked miss");
  const Expr reply_slot = slot_bits ? m.input("reply_slot", slot_bits, "the entry of that miss") : Expr{};
  const Expr clear = m.input("clear", 1, "all entries become free");
  const Expr shared = m.output("shared", 1, "the miss is taken to be shared");
  const Expr tracked = m.output("tracked", 1, "the miss has an entry");
  m.unused("unused_inputs", join_known({pc, reply, reply_slot, clear}), "there is nothing to learn");
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
  return p.kind == PredictorKind::always ? always_shared(p, name) : SharingPredictorBuilder(p, name).run();
}

}  // namespace hw
