#include "hw/remote/selective_queue.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit;

class SelectiveQueueBuilder {
 public:
  SelectiveQueueBuilder(const ProbeTableParams& p, const std::string& name)
      : p_(p),
        n_(p.entries),
        entry_bits_(bits_to_number(p.entries)),
        m_(name, fmt::format(
                     "Selective L2 requests: up to {} searches in the order in which they began, with their "
                     "ages (DC-L1 thesis, section 3.3.6).",
                     p.entries)) {}

  rtl::Module run() {
    ports();
    places();
    first_waiting();
    movement();
    changes();
    ages();
    observed();
    return m_;
  }

 private:
  void ports() {
    push_ = m_.input("push", 1, "a search begins; not while `full`");
    push_entry_ = m_.input("push_entry", entry_bits_, "entry of the search that begins");
    ends_ = m_.input("ends", 1, "a search has its data");
    ended_ = m_.input("ended", entry_bits_, "entry of that search");
    asks_ = m_.input("asks", 1, "the L2 request of a search is sent");
    asked_ = m_.input("asked", entry_bits_, "entry of the search that asks");
    takes_ = m_.input("takes", 1, "the search of `first_waiting` waits no longer");
    full_out_ = m_.output("full", 1, "the last slot is taken");
    empty_out_ = m_.output("empty", 1, "no slot is taken");
    old_out_ = m_.output("old", 1, "the oldest search has taken too long");
    head_out_ = m_.output("head", entry_bits_, "entry of the oldest search");
    some_out_ = m_.output("some_waiting", 1, "a search that has not taken too long waits for targets");
    first_out_ = m_.output("first_waiting", entry_bits_, "the entry of the oldest that does");
  }

  void places() {
    m_.section("Slots, and the time.");
    live_q_ = m_.reg("live_q", n_, 0, "the slot holds a search that goes on");
    if (n_ > group)
      dead_q_ = m_.wide_reg("dead_q", n_, all_slots(), "the slot holds none; kept beside `live_q`");
    waits_q_ = m_.data_reg("waits_q", n_, "the slot's search waits for targets, if it goes on");
    entry_q_ = m_.data_reg("entry_q", n_ * entry_bits_, "the search's entry");
    stamp_q_ = m_.data_reg("stamp_q", n_ * stamp_bits, "when the search began");
    now_q_ = m_.reg("now_q", stamp_bits, 0, "time");
    aged_q_ = m_.data_reg("aged_q", 1, "the search in the first slot has taken too long, if it goes on");
    m_.clocked("Time.", [&] { m_.set(now_q_, now_q_ + lit(stamp_bits, 1)); });
    m_.assign(full_out_, live_q_.bit(n_ - 1));
    m_.assign(empty_out_, ~rtl::any(live_q_));
    m_.assign(old_out_, live_q_.bit(0) & aged_q_);
    m_.assign(head_out_, entry_q_.slice(entry_bits_ - 1, 0));
  }

  std::vector<std::uint64_t> all_slots() const {
    std::vector<std::uint64_t> words;
    for (int low = 0; low < n_; low += 64)
      words.push_back(~std::uint64_t{0} >> (64 - std::min(64, n_ - low)));
    return words;
  }

  // The oldest search of all stands apart, since it may have taken too long.
  void first_waiting() {
    m_.section("The oldest search that waits for targets.");
    const Expr waits = m_.let("waits", live_q_ & waits_q_, "the slot's search waits");
    head_waits_ =
        m_.let("head_waits", waits.bit(0) & ~old_out_, "the oldest of all waits, and not for too long");
    const Expr others = m_.let("other_waits", cat({waits.slice(n_ - 1, 1), lit(1, 0)}),
                               "waiting slots behind the oldest one");
    first_other_ = lowest_of(m_, "first_other", others, "the first of them");
    const Expr other = m_.wire("other_entry", entry_bits_, "entry of that one");
    m_.comb("Entry of the oldest of the others, by AND and OR.", [&] {
      m_.set(other, lit(entry_bits_, 0));
      m_.loop("of", n_, [&](const Expr& i) {
        m_.set(other,
               other | (entry_q_.part(i, entry_bits_) & rtl::replicate(entry_bits_, first_other_.at(i))));
      });
    });
    m_.assign(some_out_, rtl::any(cat({waits.slice(n_ - 1, 1), head_waits_})));
    m_.assign(first_out_, rtl::mux(head_waits_, head_out_, other));
  }

  // Empty slots are like dead ones: slots behind the first move up with any content. Where a taken slot is
  // behind a dead one, the last taken one moves up, and a new search takes its slot; else it takes the first
  // dead one.
  void movement() {
    m_.section("Slots behind the first dead one move up.");
    const Expr dead = m_.let("dead", ~live_q_, "slots without a search");
    moves_ = set_up_to("moves", dead_q_, dead, "slots that move up, or take a search that moves up");
    const Expr live_turned = turned("live_turned", live_q_, "slots from the last one down");
    const Expr up_to_last =
        turned("up_to_last",
               set_up_to("from_last", turned_copies(), live_turned, "slots up to the last taken one, turned"),
               "slots up to the last taken one");
    const Expr gap = m_.let("gap", rtl::any(live_q_.slice(n_ - 1, 1) & dead.slice(n_ - 2, 0)),
                            "a taken slot is behind a dead one");
    const Expr last =
        m_.let("last_live", live_q_ & ~cat({lit(1, 0), up_to_last.slice(n_ - 1, 1)}), "the last taken slot");
    const Expr first =
        m_.let("first_dead", moves_ & ~cat({moves_.slice(n_ - 2, 0), lit(1, 0)}), "the first dead slot");
    m_.unused("unused_first", up_to_last.bit(0), "no slot is in front of the first");
    tail_ = m_.let("tail", rtl::mux(gap, last, first), "the slot that a new search takes, one-hot");
    const Expr ends = m_.wire("ends_here", n_, "the slot's search has ended");
    m_.comb("Searches that have data, or whose L2 request is sent.", [&] {
      m_.loop("ending", n_, [&](const Expr& i) {
        const Expr entry = entry_q_.part(i, entry_bits_);
        m_.set(ends.at(i), (ends_ & (entry == ended_)) | (asks_ & (entry == asked_)));
      });
    });
    stays_ = m_.let("stays", live_q_ & ~ends, "searches that go on");
  }

  // For each slot, whether a bit is set there or below: by its group of eight, from `bits`, and the groups
  // below, from `copies`, which are the same in other registers. Synthesis makes no chain of both.
  Expr set_up_to(const std::string& name, const Expr& copies, const Expr& bits, const std::string& doc) {
    const int groups = (n_ + group - 1) / group, all = groups * group;
    const Expr own = all == n_ ? bits : m_.let(name + "_own", rtl::zext(bits, all), "by slot");
    const Expr below =
        below_in_groups(m_, name + "_in_group", own, group, "a lower slot of the group has one");
    if (groups == 1) return m_.let(name, all == n_ ? own | below : narrowed(name, own | below), doc);
    std::vector<Expr> before;  // of each group, the last one first
    for (int g = groups - 1; g > 0; --g)
      before.push_back(rtl::replicate(group, rtl::any(copies.slice(g * group - 1, 0))));
    before.push_back(lit(group, 0));
    m_.unused("unused_" + name, copies.slice(n_ - 1, (groups - 1) * group), "no group is behind the last");
    const Expr found = own | below | cat(before);
    return m_.let(name, all == n_ ? found : narrowed(name, found), doc);
  }
  Expr narrowed(const std::string& name, const Expr& wide) {
    const Expr padded = m_.let(name + "_padded", wide, "with empty slots");
    m_.unused("unused_" + name + "_padding", padded.slice(wide.width() - 1, n_), "there are no such slots");
    return padded.slice(n_ - 1, 0);
  }

  Expr turned_copies() {
    if (n_ <= group) return {};
    const Expr dead = turned("dead_turned", dead_q_, "slots without a search, from the last one down");
    return m_.let("live_copies", ~dead, "slots with a search, from the last one down");
  }

  // The last bit first.
  Expr turned(const std::string& name, const Expr& bits, const std::string& doc) {
    const int index_bits = bits_to_number(n_);
    const Expr out = m_.wire(name, n_, doc), last = lit(index_bits, static_cast<std::uint64_t>(n_) - 1);
    m_.comb("Reverse the order of the bits.", [&] {
      m_.loop("from_" + name, n_, [&](const Expr& i) {
        m_.set(out.at(i), bits.part_below(last - i.slice(index_bits - 1, 0), 1));
      });
    });
    return out;
  }

  // By the time that the next cycle has, of the search that is first in it: one cycle older than now, where
  // the time does not wrap around. A search that begins is not too old.
  void ages() {
    m_.section("Whether the oldest search of the next cycle has taken too long.");
    const Expr most = m_.constant("MOST_AGE", stamp_bits, static_cast<std::uint64_t>(p_.timeout) - 1,
                                  "age of a search in its last cycle");
    const auto aged = [&](int slot) {
      const Expr age = m_.let(fmt::format("age{}", slot),
                              now_q_ - stamp_q_.slice((slot + 1) * stamp_bits - 1, slot * stamp_bits),
                              fmt::format("of the search in slot {}", slot));
      return m_.let(fmt::format("aged{}", slot), (age >= most) & ~rtl::all(age), "too old in the next cycle");
    };
    const Expr first = aged(0), second = aged(1);
    m_.clocked("The first slot keeps its search, gets the next one's, or a new one.",
               [&] { m_.set(aged_q_, rtl::mux(moves_.bit(0), live_q_.bit(1) & second, first)); });
  }

  // What a slot without a search has is of no use, so that a new search is written into all that stay empty,
  // and only one of them becomes live.
  void changes() {
    const Expr stays_above = m_.let("stays_above", cat({lit(1, 0), stays_.slice(n_ - 1, 1)}),
                                    "searches of the next slots that go on");
    const Expr live_above =
        m_.let("live_above", cat({lit(1, 0), live_q_.slice(n_ - 1, 1)}), "the next slot holds a search");
    const Expr opens = m_.let("opens", moves_ & ~live_above, "slots that no search moves into");
    const Expr entry_above =
        m_.let("entry_above", cat({lit(entry_bits_, 0), entry_q_.slice(n_ * entry_bits_ - 1, entry_bits_)}),
               "entry of the next slot");
    const Expr stamp_above =
        m_.let("stamp_above", cat({lit(stamp_bits, 0), stamp_q_.slice(n_ * stamp_bits - 1, stamp_bits)}),
               "time of the next slot");
    const Expr served =
        m_.let("served",
               cat({first_other_.slice(n_ - 1, 1) & rtl::replicate(n_ - 1, takes_ & ~head_waits_),
                    old_out_ | (takes_ & head_waits_)}),
               "the search that waits no longer, and the one that takes too long");
    const Expr waits_on = m_.let("waits_on", waits_q_ & ~served, "searches that wait for targets afterwards");
    const Expr waits_above =
        m_.let("waits_above", cat({lit(1, 0), waits_on.slice(n_ - 1, 1)}), "next slots with such a search");
    m_.unused("unused_first_other", first_other_.bit(0), "the first slot is not among the others");
    const Expr next =
        m_.let("live_next", (stays_ & ~moves_) | (stays_above & moves_) | (tail_ & rtl::replicate(n_, push_)),
               "searches that go on, and a new one");
    m_.clocked("Slots with and without a search.", [&] {
      m_.set(live_q_, next);
      if (n_ > group) m_.set(dead_q_, ~next);
    });
    m_.clocked("Searches that wait for targets, and a new one.",
               [&] { m_.set(waits_q_, (waits_on & ~moves_) | (waits_above & moves_) | opens); });
    m_.clocked("Contents of the slots.", [&] {
      m_.loop("to", n_, [&](const Expr& i) {
        const Expr entry = entry_q_.part(i, entry_bits_), stamp = stamp_q_.part(i, stamp_bits);
        m_.when(opens.at(i) & push_, [&] {
            m_.set(entry, push_entry_);
            m_.set(stamp, now_q_);
          }).otherwise([&] {
          m_.when(moves_.at(i), [&] {
            m_.set(entry, entry_above.part(i, entry_bits_));
            m_.set(stamp, stamp_above.part(i, stamp_bits));
          });
        });
      });
    });
  }

  void observed() {
    const std::vector<rtl::Index> each{{"place", n_}};
    m_.observe("live", live_q_, each);
    m_.observe("entry", entry_q_, each);
    m_.observe("stamp", stamp_q_, each);
    m_.observe("now", now_q_);
  }

  static constexpr int group = 8;
  const ProbeTableParams& p_;
  const int n_, entry_bits_;
  rtl::Module m_;
  Expr push_, push_entry_, ends_, ended_, asks_, asked_, takes_;
  Expr full_out_, empty_out_, old_out_, head_out_, some_out_, first_out_;
  Expr live_q_, dead_q_, waits_q_, entry_q_, stamp_q_, now_q_, aged_q_;
  Expr head_waits_, first_other_, moves_, stays_, tail_;
};

}  // namespace

rtl::Module selective_queue(const ProbeTableParams& p, const std::string& name) {
  return SelectiveQueueBuilder(p, name).run();
}

}  // namespace hw
