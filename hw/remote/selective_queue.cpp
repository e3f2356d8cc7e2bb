#include "hw/remote/selective_queue.h"

#include <fmt/format.h>

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
    head();
    first_waiting();
    movement();
    changes();
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
    waiting_ = m_.input("waiting", n_, "entries that wait for targets");
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
    entry_q_ = m_.data_reg("entry_q", n_ * entry_bits_, "the search's entry");
    stamp_q_ = m_.data_reg("stamp_q", n_ * stamp_bits, "when the search began");
    now_q_ = m_.reg("now_q", stamp_bits, 0, "time");
    m_.clocked("Time.", [&] { m_.set(now_q_, now_q_ + lit(stamp_bits, 1)); });
    m_.assign(full_out_, live_q_.bit(n_ - 1));
    m_.assign(empty_out_, ~rtl::any(live_q_));
  }

  void head() {
    m_.section("The oldest search.");
    const Expr age =
        m_.let("age", now_q_ - stamp_q_.slice(stamp_bits - 1, 0), "of the search in the first slot");
    const Expr timeout =
        m_.constant("TIMEOUT", stamp_bits, static_cast<std::uint64_t>(p_.timeout), "in cycles");
    m_.assign(old_out_, live_q_.bit(0) & (age >= timeout));
    m_.assign(head_out_, entry_q_.slice(entry_bits_ - 1, 0));
  }

  // Its age is known late, so that the oldest search stands apart.
  void first_waiting() {
    m_.section("The oldest search that waits for targets.");
    const Expr waits = m_.wire("waits", n_, "the slot's search waits");
    m_.comb("Looks up the state of each slot's entry.", [&] {
      m_.loop("place", n_, [&](const Expr& i) {
        m_.set(waits.at(i), live_q_.at(i) & waiting_.part_below(entry_q_.part(i, entry_bits_), 1));
      });
    });
    const Expr head =
        m_.let("head_waits", waits.bit(0) & ~old_out_, "the oldest of all waits, and not for too long");
    const Expr others = m_.let("other_waits", cat({waits.slice(n_ - 1, 1), lit(1, 0)}),
                               "waiting slots behind the oldest one");
    const Expr first = lowest_of(m_, "first_other", others, "the first of them");
    const Expr other = m_.wire("other_entry", entry_bits_, "entry of that one");
    m_.comb("Entry of the oldest of the others, by AND and OR.", [&] {
      m_.set(other, lit(entry_bits_, 0));
      m_.loop("of", n_, [&](const Expr& i) {
        m_.set(other, other | (entry_q_.part(i, entry_bits_) & rtl::replicate(entry_bits_, first.at(i))));
      });
    });
    m_.assign(some_out_, head | rtl::any(others));
    m_.assign(first_out_, rtl::mux(head, head_out_, other));
  }

  // Empty slots are like dead ones: slots behind the first move up with any content.
  void movement() {
    m_.section("Slots behind the first dead one move up.");
    const Expr front = m_.let("front", live_q_ & ~(live_q_ + lit(n_, 1)),
                              "slots in front of the first dead one, by a carry");
    moves_ = m_.let("moves", ~front, "slots that move up, or take a search that moves up");
    const Expr ends = m_.wire("ends_here", n_, "the slot's search has ended");
    m_.comb("Searches that have data, or whose L2 request is sent.", [&] {
      m_.loop("ending", n_, [&](const Expr& i) {
        const Expr entry = entry_q_.part(i, entry_bits_);
        m_.set(ends.at(i), (ends_ & (entry == ended_)) | (asks_ & (entry == asked_)));
      });
    });
    stays_ = m_.let("stays", live_q_ & ~ends, "searches that go on");
    shifted_ = m_.let("shifted", (live_q_ & ~moves_) | (cat({lit(1, 0), live_q_.slice(n_ - 1, 1)}) & moves_),
                      "slots that are taken after the move, ends apart");
    const Expr last =
        lowest_of(m_, "last_turned", turned("shifted_turned", shifted_, "slots from the last one down"),
                  "the last slot that is taken, one-hot");
    const Expr tail = m_.let("tail_turned", cat({~rtl::any(shifted_), last.slice(n_ - 1, 1)}),
                             "the slot behind the last taken one, or the first");
    m_.unused("unused_full", last.bit(0), "no search begins while the last slot is taken");
    tail_ = turned("tail", tail, "the slot behind the last one, one-hot");
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

  void changes() {
    const Expr stays_above = m_.let("stays_above", cat({lit(1, 0), stays_.slice(n_ - 1, 1)}),
                                    "searches of the next slots that go on");
    const Expr added = m_.let("added", tail_ & rtl::replicate(n_, push_), "the slot that a new search takes");
    const Expr entry_above =
        m_.let("entry_above", cat({lit(entry_bits_, 0), entry_q_.slice(n_ * entry_bits_ - 1, entry_bits_)}),
               "entry of the next slot");
    const Expr stamp_above =
        m_.let("stamp_above", cat({lit(stamp_bits, 0), stamp_q_.slice(n_ * stamp_bits - 1, stamp_bits)}),
               "time of the next slot");
    m_.clocked("Searches that go on, and a new one.",
               [&] { m_.set(live_q_, (stays_ & ~moves_) | (stays_above & moves_) | added); });
    m_.clocked("Contents of the slots.", [&] {
      m_.loop("to", n_, [&](const Expr& i) {
        const Expr entry = entry_q_.part(i, entry_bits_), stamp = stamp_q_.part(i, stamp_bits);
        m_.when(added.at(i), [&] {
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

  const ProbeTableParams& p_;
  const int n_, entry_bits_;
  rtl::Module m_;
  Expr push_, push_entry_, ends_, ended_, asks_, asked_, waiting_;
  Expr full_out_, empty_out_, old_out_, head_out_, some_out_, first_out_;
  Expr live_q_, entry_q_, stamp_q_, now_q_, moves_, stays_, shifted_, tail_;
};

}  // namespace

rtl::Module selective_queue(const ProbeTableParams& p, const std::string& name) {
  return SelectiveQueueBuilder(p, name).run();
}

}  // namespace hw
