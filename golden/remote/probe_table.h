// Golden probe table: searches of other cores' L1s from their probes to the data, cycle by cycle (DC-L1
// thesis, section 3.3.6; docs/contracts/remote-core.md). Events of a cycle are applied one after the other.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "golden/state.h"
#include "hw/remote/probe_table_params.h"

namespace golden {

class ProbeTable {
 public:
  using State = hw::ProbeState;

  struct Miss {
    bool valid = false;
    unsigned entry = 0;
    bool tracked = false;
    unsigned slot = 0;
  };
  struct Lists {
    bool valid = false;
    int probes = 0, room = 0;
  };
  struct Return {
    bool valid = false, scout = false;
    unsigned entry = 0;
    std::uint32_t sequence = 0;
    std::vector<int> found = {};  // cores
  };
  struct Reply {
    bool valid = false, l2 = false;
    unsigned entry = 0;
    std::uint32_t sequence = 0;
  };
  struct In {
    Miss miss = {};
    Lists list = {};
    Return probe = {};
    Reply reply = {};
    bool ask_take = false;
  };

  struct Entry {
    State state = State::free;
    std::uint32_t sequence = 0;
    int out = 0;
    std::vector<bool> candidates = {};  // by core
    bool data_came = false, timed_out = false, tracked = false;
    unsigned slot = 0;
  };
  // Of a selective L2 request.
  struct Place {
    unsigned entry = 0;
    std::uint16_t stamp = 0;
    bool live = false;
  };
  struct Ask {
    bool timed_out = false;
    unsigned entry = 0;
    bool operator==(const Ask&) const = default;
  };
  // Probes that enter the outgoing queue: those of a list, or a leader for candidates.
  struct Sent {
    unsigned entry = 0;
    bool list = false;
    std::vector<int> targets = {};  // of the leader for candidates
  };

  explicit ProbeTable(const hw::ProbeTableParams& p) : p_(p) { reset(); }

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Place>& places() const { return places_; }

  std::uint16_t now() const { return now_; }
  bool miss_ready() const { return !places_.back().live; }
  bool idle() const {
    return std::ranges::all_of(entries_, [](const Entry& e) { return e.state == State::free; }) &&
           std::ranges::none_of(places_, &Place::live);
  }
  static bool searches(const Entry& e) { return e.state != State::free && e.state != State::wait_l2; }
  static bool late(const Entry& e) { return e.state == State::wait_l2 && e.data_came; }

  bool fills(const Reply& reply) const {
    return takes_data(reply) || (takes_answer(reply) && !entries_[reply.entry].data_came);
  }

  std::optional<Ask> asks() const {
    std::optional<Ask> first;
    for (unsigned e = 0; e < entries_.size(); ++e) {
      if (entries_[e].state != State::ask_l2) continue;
      if (entries_[e].timed_out) return Ask{true, e};
      if (!first) first = Ask{false, e};
    }
    return first;
  }

  std::optional<Sent> sends(const In& in) const {
    if (in.list.room > 0)
      for (unsigned e = 0; e < entries_.size(); ++e)
        if (entries_[e].state == State::level2 && std::ranges::count(entries_[e].candidates, true))
          return Sent{.entry = e, .targets = in_order(entries_[e].candidates)};
    if (!in.list.valid || in.list.room < sharing(in.list.probes)) return {};
    for (const Place& place : places_) {
      if (!place.live || entries_[place.entry].state != State::targets) continue;
      if (old_head() == place.entry) continue;
      return Sent{.entry = place.entry, .list = true};
    }
    return {};
  }

  void reset() {
    entries_.assign(static_cast<std::size_t>(p_.entries), {});
    for (Entry& e : entries_) e.candidates.assign(static_cast<std::size_t>(p_.cores), false);
    places_.assign(static_cast<std::size_t>(p_.entries), {});
    now_ = 0;
  }

  void edge(const In& in) {
    const std::optional<Ask> asked = in.ask_take ? asks() : std::nullopt;
    const std::optional<Sent> sent = sends(in);
    const bool begins = in.miss.valid && miss_ready();
    const std::optional<unsigned> old = old_head();
    const bool data = takes_data(in.reply), answered = takes_answer(in.reply);
    const std::size_t tail = move_up();
    if (answered) entries_[in.reply.entry].state = State::free;
    if (in.probe.valid) come_back(in.probe);
    if (old) time_out(entries_[*old]);
    if (sent) send(*sent, in.list.probes);
    if (asked) leave(asked->entry, State::wait_l2);
    if (data) take_data(in.reply.entry);
    if (begins) begin(in.miss, tail);
    ++now_;
  }

  void publish(StateList& list) const {
    const StatePlace each{.parts = {{"entry", static_cast<unsigned>(p_.entries)}}};
    publish_entries(list, each);
    const StatePlace places{.parts = {{"place", static_cast<unsigned>(p_.entries)}}};
    const auto of_place = [&](const char* name, int width, auto member) {
      list.value(name, width, places, [this, member](unsigned, unsigned n) -> MayCount {
        if (!places_[n].live) return {};
        return static_cast<std::uint64_t>(places_[n].*member);
      });
    };
    list.value("queue.live", 1, places,
               [this](unsigned, unsigned n) { return std::uint64_t{places_[n].live}; });
    of_place("queue.entry", hw::width_to_number(p_.entries), &Place::entry);
    of_place("queue.stamp", hw::stamp_bits, &Place::stamp);
    list.value("queue.now", hw::stamp_bits, {}, [this](unsigned, unsigned) { return std::uint64_t{now_}; });
  }

 private:
  void publish_entries(StateList& list, const StatePlace& each) const {
    const auto field = [&](const char* name, int width, auto counts, auto of) {
      list.value(name, width, each, [this, counts, of](unsigned, unsigned e) -> MayCount {
        if (!counts(entries_[e])) return {};
        return static_cast<std::uint64_t>(of(entries_[e]));
      });
    };
    const auto always = [](const Entry&) { return true; };
    const auto used = [](const Entry& e) { return e.state != State::free; };
    const auto probing = [](const Entry& e) { return e.state == State::level1 || e.state == State::level2; };
    field("state", hw::probe_state_bits, always, [](const Entry& e) { return static_cast<int>(e.state); });
    field("taken", hw::sequence_bits(p_), always, [](const Entry& e) { return e.sequence; });
    field("out", hw::probes_out_bits(p_), probing, [](const Entry& e) { return e.out; });
    field("data_came", 1, used, [](const Entry& e) { return e.data_came; });
    field("timed_out", 1, used, [](const Entry& e) { return e.timed_out; });
    field("tracked", 1, used, [](const Entry& e) { return e.tracked; });
    field("slot", hw::width_to_number(p_.predictor_entries), used, [](const Entry& e) { return e.slot; });
    if (hw::most_candidates(p_) == 0) return;
    StatePlace cores = each;
    cores.parts.push_back({"core", static_cast<unsigned>(p_.cores)});
    list.bits("candidates", cores, [this, probing](unsigned, unsigned word) {
      StateWord bits;
      const std::size_t cores_n = static_cast<std::size_t>(p_.cores), all = cores_n * entries_.size();
      for (std::size_t b = std::size_t{64} * word; b < std::min(all, std::size_t{64} * (word + 1)); ++b) {
        const Entry& e = entries_[b / cores_n];
        if (!probing(e)) continue;
        bits.counts |= std::uint64_t{1} << b % 64;
        bits.value |= std::uint64_t{e.candidates[b % cores_n]} << b % 64;
      }
      return bits;
    });
  }

  int sharing(int probes) const { return std::min(probes, p_.coverage); }

  bool takes_data(const Reply& r) const {
    if (!r.valid || r.l2) return false;
    const Entry& e = entries_[r.entry];
    return e.state != State::free && e.sequence == r.sequence && !e.data_came;
  }
  bool takes_answer(const Reply& r) const {
    if (!r.valid || !r.l2) return false;
    const Entry& e = entries_[r.entry];
    return e.state == State::wait_l2 && e.sequence == r.sequence;
  }

  // The entry of the oldest search, if that has taken too long.
  std::optional<unsigned> old_head() const {
    const Place& head = places_.front();
    const auto age = static_cast<std::uint16_t>(now_ - head.stamp);
    return head.live && age >= p_.timeout ? std::optional(head.entry) : std::nullopt;
  }

  // From the next core upward, and around.
  std::vector<int> in_order(const std::vector<bool>& cores) const {
    std::vector<int> order;
    for (int c = 1; c < p_.cores; ++c)
      if (const int core = (p_.core + c) % p_.cores; cores[static_cast<std::size_t>(core)])
        order.push_back(core);
    return order;
  }

  // The first dead slot goes in any case. Returns the slot behind the last one that is left.
  std::size_t move_up() {
    const auto dead = std::ranges::find(places_, false, &Place::live);
    if (dead != places_.end()) {
      places_.erase(dead);
      places_.push_back({});
    }
    std::size_t tail = places_.size();
    while (tail > 0 && !places_[tail - 1].live) --tail;
    return tail;
  }

  // Its L2 request is sent, or its data has come: its slot dies.
  void leave(unsigned entry, State state) {
    entries_[entry].state = state;
    for (Place& place : places_)
      if (place.entry == entry) place.live = false;
  }

  void come_back(const Return& probe) {
    Entry& e = entries_[probe.entry];
    if (e.sequence != probe.sequence) return;
    if (e.state == State::level2) e.state = State::ask_l2;
    if (e.state != State::level1) return;
    if (probe.scout)
      for (const int core : probe.found) e.candidates[static_cast<std::size_t>(core)] = true;
    if (--e.out > 0) return;
    const bool found = std::ranges::count(e.candidates, true);
    e.state = found ? State::level2 : State::ask_l2;
    e.out = 1;
  }

  static void time_out(Entry& e) {
    e.state = State::ask_l2;
    e.timed_out = true;
  }

  void send(const Sent& sent, int probes) {
    Entry& e = entries_[sent.entry];
    if (!sent.list) return e.candidates.assign(e.candidates.size(), false);
    e.out = sharing(probes);
    e.state = e.out ? State::level1 : State::ask_l2;
  }

  // Where L2 has been asked the entry waits for its reply, too.
  void take_data(unsigned entry) {
    Entry& e = entries_[entry];
    e.data_came = true;
    leave(entry, e.state == State::wait_l2 ? State::wait_l2 : State::free);
  }

  void begin(const Miss& miss, std::size_t tail) {
    Entry& e = entries_[miss.entry];
    const auto mask = (std::uint64_t{1} << hw::sequence_bits(p_)) - 1;
    const auto sequence = static_cast<std::uint32_t>((e.sequence + 1) & mask);
    const std::vector<bool> none(e.candidates.size(), false);
    e = {State::targets, sequence, 0, none, false, false, miss.tracked, miss.slot};
    places_[tail] = {miss.entry, now_, true};
  }

  hw::ProbeTableParams p_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  std::uint16_t now_ = 0;
};

}  // namespace golden
