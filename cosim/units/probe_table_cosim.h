// Lock step of the probe table and its reference model; and properties that do not come from the model: a
// search fills the cache once, its entry is not taken again before, sequences count searches, lists go to the
// oldest search without one, and the entry's line is searched for until L2 is asked or the line comes.
#pragma once
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/port_name.h"
#include "cosim/harness/state_compare.h"
#include "cosim/units/probe_table_searches.h"
#include "cosim/units/probe_table_stimulus.h"

namespace verif {

template <class Dut, hw::ProbeTableParams P, class Ports>
class ProbeTableBench {
 public:
  using Unit = golden::ProbeTable;
  using Inputs = ProbeTableInputs;
  using State = Unit::State;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.miss_ready();
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  // States the goals, of which none is reached yet.
  ProbeTableBench() {
    see({});
    see_reply({}, {});
    see_return({});
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    dut.miss_valid = in.miss.valid, dut.miss_tracked = in.miss.tracked;
    dut.miss_entry = static_cast<std::uint8_t>(in.miss.entry);
    if constexpr (requires { dut.miss_slot; }) dut.miss_slot = static_cast<std::uint8_t>(in.miss.slot);
    dut.list_valid = in.list.valid, dut.list_probes = static_cast<std::uint8_t>(in.list.probes);
    dut.free_slots = static_cast<std::uint8_t>(in.list.free_slots);
    dut.return_valid = in.probe.valid, dut.return_entry = static_cast<std::uint8_t>(in.probe.entry);
    dut.return_sequence = in.probe.sequence;
    if constexpr (requires { dut.return_scout; }) dut.return_scout = in.probe.scout;
    drive_found(dut, in.probe.found);
    dut.reply_valid = in.reply.valid, dut.reply_l2 = in.reply.l2;
    dut.reply_entry = static_cast<std::uint8_t>(in.reply.entry), dut.reply_sequence = in.reply.sequence;
    dut.ask_take = in.ask_take;
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    return fmt::format(
        "miss {:d} entry {}, list {:d} probes {} free_slots {}, return {:d} scout {:d} entry {} sequence {} "
        "found "
        "{}, "
        "reply {:d} l2 {:d} entry {} sequence {}, ask_take {:d}",
        in.miss.valid, in.miss.entry, in.list.valid, in.list.probes, in.list.free_slots, in.probe.valid,
        in.probe.scout, in.probe.entry, in.probe.sequence, in.probe.found.size(), in.reply.valid, in.reply.l2,
        in.reply.entry, in.reply.sequence, in.ask_take);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    if (const auto different = outputs(dut, inputs.in)) return different;
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    valid_shown_ = dut.ask_valid;
    for (unsigned e = 0; e < P.entries; ++e)
      if (const auto broken = searches_.broken(e, bit(dut.searching, e), bit(dut.late, e)))
        return Difference{broken, bit(dut.searching, e), bit(dut.late, e)};
    if (dut.list_take && !searches_.may_take_list(dut.probe_entry))
      return Difference{"a list for the oldest search without one", dut.probe_entry, 0};
    if (dut.list_take && dut.probe_sequence != searches_.sequence(dut.probe_entry))
      return Difference{"sequence, which counts searches", dut.probe_sequence,
                        searches_.sequence(dut.probe_entry)};
    return {};
  }

  void edge(const Inputs& inputs) {
    see(inputs);
    if (inputs.rst)
      searches_ = {}, came_ = {};
    else
      follow(inputs.in);
    stimulus_.after(inputs, golden_);
    inputs.rst ? golden_.reset() : golden_.edge(inputs.in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("ask_valid", 1, &valid_shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr bool scouts = hw::most_candidates(P) > 0;
  static constexpr std::uint64_t no_core = (1u << hw::core_or_none_bits(P.cores)) - 1;

  template <class Port>
  static bool bit(const Port& port, unsigned n) {
    if constexpr (std::is_integral_v<Port>)
      return port >> n & 1;
    else
      return port[n / 32] >> n % 32 & 1;
  }

  static std::size_t number_in(std::string_view name, std::string_view stem) {
    std::size_t number = 0;
    for (const char digit : name.substr(stem.size()))
      number = 10 * number + static_cast<std::size_t>(digit - '0');
    return number;
  }

  static void drive_found(Dut& dut, const std::vector<int>& found) {
    Ports::each_input(dut, [&]<PortName name>(auto& port) {
      constexpr std::string_view stem = "return_found";
      if constexpr (name.view().starts_with(stem)) {
        const std::size_t k = number_in(name.view(), stem);
        port = static_cast<std::uint8_t>(k < found.size() ? static_cast<std::uint64_t>(found[k]) : no_core);
      }
    });
  }

  std::optional<Difference> outputs(Dut& dut, const Unit::In& in) {
    const auto asks = golden_.asks();
    const auto sends = golden_.sends(in);
    const bool fills = golden_.fills(in.reply), list = sends && sends->list;
    std::vector<std::tuple<const char*, std::uint64_t, std::uint64_t>> outputs{
        {"miss_ready", dut.miss_ready, golden_.miss_ready()},
        {"idle", dut.idle, golden_.idle()},
        {"ask_valid", dut.ask_valid, asks.has_value()},
        {"list_take", dut.list_take, list},
        {"reply_fills", dut.reply_fills, fills}};
    if constexpr (scouts) outputs.emplace_back("search", dut.search, sends && !list);
    if (asks) {
      outputs.emplace_back("ask_timed_out", dut.ask_timed_out, asks->timed_out);
      outputs.emplace_back("ask_entry", dut.ask_entry, asks->entry);
      outputs.emplace_back("ask_sequence", dut.ask_sequence, golden_.entries()[asks->entry].sequence);
    }
    if (sends) {
      outputs.emplace_back("probe_entry", dut.probe_entry, sends->entry);
      outputs.emplace_back("probe_sequence", dut.probe_sequence, golden_.entries()[sends->entry].sequence);
    }
    if (fills) {
      const Unit::Entry& entry = golden_.entries()[in.reply.entry];
      outputs.emplace_back("reply_tracked", dut.reply_tracked, entry.tracked);
      if constexpr (requires { dut.reply_slot; })
        outputs.emplace_back("reply_slot", dut.reply_slot, entry.slot);
    }
    for (unsigned e = 0; e < P.entries; ++e) {
      outputs.emplace_back("searching", bit(dut.searching, e), Unit::searches(golden_.entries()[e]));
      outputs.emplace_back("late", bit(dut.late, e), Unit::late(golden_.entries()[e]));
    }
    for (const auto& [port, got, want] : outputs)
      if (got != want) return Difference{port, got, want};
    return sends && !list ? different_targets(dut, sends->targets) : std::nullopt;
  }

  static std::optional<Difference> different_targets(Dut& dut, const std::vector<int>& want) {
    std::optional<Difference> different;
    Ports::each_output(dut, [&]<PortName name>(const auto& port) {
      constexpr std::string_view stem = "search_target";
      if constexpr (name.view().starts_with(stem)) {
        const std::size_t k = number_in(name.view(), stem);
        const std::uint64_t core = k < want.size() ? static_cast<std::uint64_t>(want[k]) : no_core;
        if (!different && port != core) different = Difference{fmt::format("{}{}", stem, k), port, core};
      }
    });
    return different;
  }

  // From ports alone.
  void follow(const Unit::In& in) {
    const bool fills = golden_.fills(in.reply);
    const auto sends = golden_.sends(in);
    if (sends && sends->list) searches_.listed(sends->entry);
    if (const auto ask = golden_.asks(); ask && in.ask_take) searches_.asked(ask->entry);
    Came came{in.reply, fills};
    if (P.stages) std::swap(came, came_);  // with stages a line has its effect a cycle later
    if (came.fills)
      searches_.filled(came.reply.entry, came.reply.l2);
    else if (came.reply.valid && came.reply.l2)
      searches_.answered(came.reply.entry, came.reply.sequence);
    if (in.miss.valid && golden_.miss_ready()) searches_.begun(in.miss.entry);
  }

  void see(const Inputs& inputs) {
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    const Unit::In& in = inputs.in;
    seen_["a miss that waits for a place"] += in.miss.valid && !golden_.miss_ready();
    const auto asks = golden_.asks();
    seen_["L2 asked in time"] += asks && !asks->timed_out;
    seen_["L2 asked late, before others"] +=
        asks && asks->timed_out &&
        std::ranges::count(golden_.entries(), State::ask_l2, &Unit::Entry::state) > 1;
    see_places();
    if (in.reply.valid) see_reply(in, asks);
    if (in.probe.valid) see_return(in.probe);
    const auto sends = golden_.sends(in);
    if (scouts) seen_["candidates before a list"] += sends && !sends->list && in.list.valid;
    if (P.probes == 1) seen_["a list without probes"] += sends && sends->list && in.list.probes == 0;
  }

  void see_places() {
    const auto& places = golden_.places();
    const auto age = static_cast<std::uint16_t>(golden_.now() - places[0].stamp);
    const bool old = places[0].live && age == P.timeout;
    const State state = golden_.entries()[places[0].entry].state;
    seen_["too long without targets"] += old && state == State::targets;
    seen_["too long in the first level"] += old && state == State::level1;
    if (scouts) seen_["too long in the second level"] += old && state == State::level2;
    seen_["too long before L2 is asked"] += old && state == State::ask_l2;
    seen_["a dead place in front"] += !places[0].live && places[1].live;
    seen_["a dead place between others"] += places[0].live && !places[1].live && places[2].live;
  }

  void see_reply(const Unit::In& in, const std::optional<Unit::Ask>& asks) {
    const Unit::Entry& entry = golden_.entries()[in.reply.entry];
    const bool same = entry.sequence == in.reply.sequence && entry.state != State::free;
    seen_["a reply of another sequence"] += entry.state != State::free && !same;
    const bool core = same && !in.reply.l2, l2 = same && in.reply.l2, fills = golden_.fills(in.reply);
    const bool sent = asks && in.ask_take && asks->entry == in.reply.entry;
    if (scouts)
      seen_["data while probes are under way"] +=
          core && fills && entry.state == State::level1 && entry.out > 1;
    if (scouts) seen_["data of the second level"] += core && fills && entry.state == State::level2;
    seen_["data before L2 is asked"] += core && fills && entry.state == State::ask_l2 && !sent;
    seen_["data as L2 is asked"] += core && fills && sent;
    seen_["late data"] += core && fills && entry.state == State::wait_l2;
    seen_["data once more"] += core && !fills;
    seen_["a reply of L2 that fills"] += l2 && fills;
    seen_["a reply of L2 behind data"] += l2 && !fills && entry.data_came;
  }

  void see_return(const Unit::Return& probe) {
    const Unit::Entry& entry = golden_.entries()[probe.entry];
    const bool same = entry.state != State::free && entry.sequence == probe.sequence;
    const bool level1 = same && entry.state == State::level1;
    seen_["a return of another sequence"] += entry.state != State::free && !same;
    seen_["a return behind its time"] +=
        same && (entry.state == State::ask_l2 || entry.state == State::wait_l2);
    seen_["the last return without candidates"] +=
        level1 && entry.out == 1 && std::ranges::count(entry.candidates, true) == 0;
    if (!scouts) return;
    seen_["candidates that have it no longer"] += same && entry.state == State::level2;
    seen_["a scout with candidates"] += level1 && probe.scout && !probe.found.empty();
  }

  Unit golden_{P};
  ProbeTableStimulus stimulus_{P};
  std::optional<StateCompare> state_;
  Searches<P.entries> searches_;
  struct Came {
    Unit::Reply reply = {};
    bool fills = false;
  } came_;  // with stages, in the cycle before
  std::uint64_t valid_shown_ = 0;
  Goals seen_;
};

}  // namespace verif
