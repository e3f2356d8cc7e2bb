// Golden probe table: searches of other cores' L1s from their probes to the data, cycle by cycle (DC-L1
// thesis, section 3.3.6; docs/contracts/remote-core.md). Events of a cycle are applied one after the other.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "golden/bits.h"
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
    int probes = 0, free_slots = 0;
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
    bool fresh = false;  // with stages: in the first cycle of its search, in which nothing is found of it
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

  // With stages, that of the cycle before, if it has not gone since.
  std::optional<Ask> asks() const {
    if (p_.stages == 0) return first_to_ask();
    return ask_ && entries_[ask_->entry].state == State::ask_l2 ? ask_ : std::nullopt;
  }

  std::optional<Sent> sends(const In& in) const {
    if (const auto leads = p_.stages ? read_candidates() : first_to_lead(); leads && in.list.free_slots > 0)
      return Sent{.entry = *leads, .targets = in_order(entries_[*leads].candidates)};
    if (!in.list.valid || in.list.free_slots < sharing(in.list.probes)) return {};
    const auto takes = p_.stages ? chosen_in_time() : first_to_list();
    return takes ? std::optional(Sent{.entry = *takes, .list = true}) : std::nullopt;
  }

 private:
  std::optional<Ask> first_to_ask() const {
    std::optional<Ask> first;
    for (unsigned e = 0; e < entries_.size(); ++e) {
      if (entries_[e].state != State::ask_l2) continue;
      if (entries_[e].timed_out) return Ask{true, e};
      if (!first) first = Ask{false, e};
    }
    return first;
  }

  std::optional<unsigned> first_to_lead() const {
    for (unsigned e = 0; e < entries_.size(); ++e)
      if (entries_[e].state == State::level2 && std::ranges::count(entries_[e].candidates, true)) return e;
    return {};
  }
  std::optional<unsigned> first_to_list() const {
    for (const Place& place : places_)
      if (place.live && entries_[place.entry].state == State::targets && old_head() != place.entry)
        return place.entry;
    return {};
  }
  std::optional<unsigned> read_candidates() const {
    return leads_ && read_ && entries_[*leads_].state == State::level2 ? leads_ : std::nullopt;
  }
  std::optional<unsigned> chosen_in_time() const {
    return chosen_ && entries_[*chosen_].state == State::targets && old_head() != *chosen_ ? chosen_
                                                                                           : std::nullopt;
  }

  // What has been found in the table at the end of a cycle in which this is sent.
  void find(const std::optional<Sent>& sent) {
    ask_ = first_to_ask();
    if (!chosen_)
      chosen_ = first_to_list();
    else if ((sent && sent->list) || entries_[*chosen_].state != State::targets)
      chosen_.reset();
    if (!leads_)
      leads_ = first_to_lead();
    else if ((sent && !sent->list) || entries_[*leads_].state != State::level2)
      leads_.reset(), read_ = false;
    else
      read_ = true;
  }
  // What a reply is for its search.
  struct Line {
    bool data = false, answer = false;
    unsigned entry = 0;
  };
  Line line_of(const Reply& reply) const { return {takes_data(reply), takes_answer(reply), reply.entry}; }
  // That of the cycle before; this one is kept.
  Line later(const Reply& reply) { return std::exchange(line_, line_of(reply)); }
  // That of this search which came back in the cycle before; this one is kept.
  std::optional<Return> later(const Return& probe) {
    const std::optional<Return> before = back_;
    back_.reset();
    const Entry& e = entries_[probe.entry];
    if (probe.valid && !e.fresh && e.sequence == probe.sequence) back_ = probe;
    return before;
  }

 public:
  void reset() {
    entries_.assign(static_cast<std::size_t>(p_.entries), {});
    for (Entry& e : entries_) e.candidates.assign(static_cast<std::size_t>(p_.cores), false);
    places_.assign(static_cast<std::size_t>(p_.entries), {});
    now_ = 0;
    chosen_.reset(), leads_.reset(), ask_.reset(), back_.reset();
    line_ = {};
    read_ = false;
  }

  void edge(const In& in) {
    const std::optional<Ask> asked = in.ask_take ? asks() : std::nullopt;
    const std::optional<Sent> sent = sends(in);
    const bool begins = in.miss.valid && miss_ready();
    const std::optional<unsigned> old = old_head();
    const Line line = p_.stages ? later(in.reply) : line_of(in.reply);
    const std::optional<Return> back = p_.stages ? later(in.probe) : std::optional(in.probe);
    if (p_.stages) find(sent);
    const std::size_t tail = move_up();
    for (Entry& e : entries_) e.fresh = false;
    if (line.answer) entries_[line.entry].state = State::free;
    if (back && back->valid) come_back(*back);
    if (old) time_out(entries_[*old]);
    if (sent) send(*sent, in.list.probes);
    if (asked) leave(asked->entry, State::wait_l2);
    if (line.data) take_data(line.entry);
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
    of_place("queue.entry", bits_for(p_.entries), &Place::entry);
    of_place("queue.stamp", hw::stamp_bits, &Place::stamp);
    list.value("queue.now", hw::stamp_bits, {}, [this](unsigned, unsigned) { return std::uint64_t{now_}; });
    if (p_.stages) publish_stages(list);
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
    field(
        "taken", hw::sequence_bits(p_), [](const Entry& e) { return !e.fresh; },
        [](const Entry& e) { return e.sequence; });
    field("out", hw::probes_out_bits(p_), probing, [](const Entry& e) { return e.out; });
    field("data_came", 1, used, [](const Entry& e) { return e.data_came; });
    field("timed_out", 1, used, [](const Entry& e) { return e.timed_out; });
    field("tracked", 1, used, [](const Entry& e) { return e.tracked; });
    field("slot", bits_for(p_.predictor_entries), used, [](const Entry& e) { return e.slot; });
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

  void publish_stages(StateList& list) const {
    const auto value = [&](const char* name, int width, auto of) {
      list.value(name, width, {}, [this, of](unsigned, unsigned) -> MayCount { return of(*this); });
    };
    const auto entry = [&](const char* some, const char* number, auto member) {
      value(some, 1, [member](const ProbeTable& t) { return MayCount{(t.*member).has_value()}; });
      value(number, bits_for(p_.entries),
            [member](const ProbeTable& t) { return (t.*member) ? MayCount{*(t.*member)} : MayCount{}; });
    };
    entry("chosen", "chosen_entry", &ProbeTable::chosen_);
    value("asks", 1, [](const ProbeTable& t) { return MayCount{t.ask_.has_value()}; });
    value("ask_entry", bits_for(p_.entries),
          [](const ProbeTable& t) { return t.ask_ ? MayCount{t.ask_->entry} : MayCount{}; });
    value("ask_late", 1,
          [](const ProbeTable& t) { return t.ask_ ? MayCount{t.ask_->timed_out} : MayCount{}; });
    value("data", 1, [](const ProbeTable& t) { return MayCount{t.line_.data}; });
    value("answer", 1, [](const ProbeTable& t) { return MayCount{t.line_.answer}; });
    value("line_entry", bits_for(p_.entries), [](const ProbeTable& t) {
      return t.line_.data || t.line_.answer ? MayCount{t.line_.entry} : MayCount{};
    });
    value("back", 1, [](const ProbeTable& t) { return MayCount{t.back_.has_value()}; });
    value("back_entry", bits_for(p_.entries),
          [](const ProbeTable& t) { return t.back_ ? MayCount{t.back_->entry} : MayCount{}; });
    if (hw::most_candidates(p_) == 0) return;
    entry("leads", "lead_entry", &ProbeTable::leads_);
    value("lead_read", 1, [](const ProbeTable& t) { return MayCount{t.read_}; });
  }

  int sharing(int probes) const { return std::min(probes, p_.coverage); }

  bool takes_data(const Reply& r) const {
    if (!r.valid || r.l2) return false;
    const Entry& e = entries_[r.entry];
    return e.state != State::free && !e.fresh && e.sequence == r.sequence && !e.data_came;
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
    e = {State::targets, sequence, 0, none, false, false, miss.tracked, miss.slot, p_.stages > 0};
    places_[tail] = {miss.entry, now_, true};
  }

  hw::ProbeTableParams p_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  std::uint16_t now_ = 0;
  // With stages: the search that is chosen for targets, the entry of the second level with candidates,
  // whether these are read, the request to L2 that was first in the cycle before, and the probe that came
  // back in it.
  std::optional<unsigned> chosen_, leads_;
  bool read_ = false;
  std::optional<Ask> ask_;
  std::optional<Return> back_;
  Line line_ = {};  // that came in it
};

}  // namespace golden
