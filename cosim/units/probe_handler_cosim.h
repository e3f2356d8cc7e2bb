// Lock step of the probe handler and its reference model; and properties that do not come from the model:
// each probe leaves once, as it should be, and the handler is idle when all have
// (probe_handler_scoreboard.h); what it offers stays until it is taken.
#pragma once
#include <bitset>
#include <cstring>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "cosim/units/probe_handler_scoreboard.h"
#include "cosim/units/probe_handler_stimulus.h"

namespace verif {

template <class Dut, hw::ProbeHandlerParams P>
class ProbeHandlerBench {
 public:
  using Unit = golden::ProbeHandler;
  using Probe = golden::Probe;
  using Inputs = ProbeHandlerInputs;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.idle();
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  // States the goals, of which none is reached yet.
  ProbeHandlerBench() {
    see({});
    see_arrival({.probe = Probe{.targets = std::vector<int>(P.coverage)}});
    see_answer({.targets = std::vector<int>(P.coverage)}, {});
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    dut.probe_valid = in.probe.has_value();
    if (in.probe) {
      dut.probe_leader = in.probe->leader, dut.probe_group = in.probe->group;
      put(dut.probe_targets, listed(in.probe->targets));
      dut.probe_pointer = static_cast<std::uint8_t>(in.probe->pointer), dut.probe_line = in.probe->line;
    }
    dut.snoop_ready = in.snoop_ready;
    dut.answer_valid = in.answer.has_value();
    if (in.answer) {
      dut.answer_found = in.answer->found;
      put_words(dut.answer_data, in.answer->data, data_bits);
    }
    dut.forwarded_ready = in.forwarded_ready, dut.reply_ready = in.reply_ready;
    if constexpr (P.deflected > 0) dut.deflected_ready = in.deflected_ready;
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    std::string text;
    if (in.probe)
      text = fmt::format("{} {:x} at place {} of {}, ", in.probe->leader ? "leader" : "scout",
                         in.probe->group, in.probe->pointer, fmt::join(in.probe->targets, " "));
    return text + fmt::format(
                      "snoop ready {:d}, answer {:d} found {:d}, ready: forwarded {:d}, deflected {:d}, "
                      "reply {:d}",
                      in.snoop_ready, in.answer.has_value(), in.answer && in.answer->found,
                      in.forwarded_ready, in.deflected_ready, in.reply_ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    shown_ = dut.snoop_valid;
    if (const auto different = bits(dut, in)) return different;
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    if (const Probe* probe = golden_.snoop(); probe && dut.snoop_line != probe->line)
      return Difference{"snoop_line", dut.snoop_line, probe->line};
    if (const Probe* probe = golden_.forwarded())
      if (const auto different = differs("forwarded", forwarded(dut), dut.forwarded_destination, *probe))
        return different;
    if constexpr (P.deflected > 0)
      if (const Probe* probe = golden_.deflected())
        if (const auto different = differs("deflected", deflected(dut), dut.deflected_destination, *probe))
          return different;
    if (const Unit::Line* line = golden_.reply())
      if (const auto different = differs(dut, *line)) return different;
    return inputs.rst ? std::nullopt : scoreboard(dut, in);
  }

  void edge(const Inputs& inputs) {
    see(inputs);
    if (inputs.rst) scoreboard_.reset();
    inputs.rst ? golden_.reset() : golden_.edge(inputs.in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("snoop_valid", 1, &shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr int data_bits = 8 * P.line_bytes, core_bits = hw::core_or_none_bits(P.cores);
  static constexpr auto all_bits = static_cast<std::size_t>(hw::list_bits(P));
  static constexpr std::uint64_t none = (1u << core_bits) - 1;
  using List = std::bitset<all_bits>;

  static List listed(const std::vector<int>& targets) {
    List list;
    for (std::size_t k = 0; k < targets.size(); ++k)
      for (int b = 0; b < core_bits; ++b)
        list[k * core_bits + static_cast<std::size_t>(b)] = static_cast<unsigned>(targets[k]) >> b & 1;
    return list;
  }
  template <class Port>
  static std::vector<int> targets_of(const Port& port) {
    const List list = bits_of<all_bits>(port);
    std::vector<int> targets;
    for (std::size_t k = 0; k < P.coverage; ++k) {
      const std::uint64_t core = word_of(list, k * core_bits) & none;
      targets.push_back(core == none ? golden::no_core : static_cast<int>(core));
    }
    return targets;
  }
  static Probe forwarded(Dut& d) {
    return {static_cast<bool>(d.forwarded_leader), d.forwarded_group, targets_of(d.forwarded_targets),
            d.forwarded_pointer, d.forwarded_line};
  }
  static Probe deflected(Dut& d) {
    return {static_cast<bool>(d.deflected_leader), d.deflected_group, targets_of(d.deflected_targets),
            d.deflected_pointer, d.deflected_line};
  }

  std::optional<Difference> bits(Dut& dut, const Unit::In& in) {
    std::vector<std::tuple<const char*, std::uint64_t, std::uint64_t>> all{
        {"snoop_valid", dut.snoop_valid, golden_.snoop() != nullptr},
        {"forwarded_valid", dut.forwarded_valid, golden_.forwarded() != nullptr},
        {"reply_valid", dut.reply_valid, golden_.reply() != nullptr},
        {"dropped", dut.dropped, golden_.drops(in)},
        {"idle", dut.idle, golden_.idle()}};
    if constexpr (P.deflected > 0)
      all.emplace_back("deflected_valid", dut.deflected_valid, golden_.deflected() != nullptr);
    for (const auto& [port, got, want] : all)
      if (got != want) return Difference{port, got, want};
    return {};
  }

  std::optional<Difference> differs(const std::string& port, const Probe& got, int destination,
                                    const Probe& want) const {
    const auto to = static_cast<std::uint64_t>(golden_.destination(want));
    if (static_cast<std::uint64_t>(destination) != to)
      return Difference{port + "_destination", static_cast<std::uint64_t>(destination), to};
    if (got.leader != want.leader) return Difference{port + "_leader", got.leader, want.leader};
    if (got.group != want.group) return Difference{port + "_group", got.group, want.group};
    if (got.line != want.line) return Difference{port + "_line", got.line, want.line};
    if (got.pointer != want.pointer)
      return Difference{port + "_pointer", static_cast<std::uint64_t>(got.pointer),
                        static_cast<std::uint64_t>(want.pointer)};
    return difference(port + "_targets", listed(got.targets), listed(want.targets));
  }

  static std::optional<Difference> differs(Dut& dut, const Unit::Line& want) {
    if (dut.reply_group != want.group) return Difference{"reply_group", dut.reply_group, want.group};
    golden::LineData got{};
    words_of(dut.reply_data, got, data_bits);
    for (std::size_t w = 0; w < P.line_bytes / 8; ++w)
      if (got[w] != want.data[w])
        return Difference{fmt::format("reply_data[{}:{}]", 64 * w + 63, 64 * w), got[w], want.data[w]};
    return {};
  }

  // From ports alone.
  std::optional<Difference> scoreboard(Dut& dut, const Unit::In& in) {
    if (dut.idle != scoreboard_.empty())
      return Difference{"idle while probes are here", dut.idle, scoreboard_.empty()};
    std::string wrong;
    const auto left = [&](const Probe& probe, int destination) {
      if (wrong.empty()) wrong = scoreboard_.leaves(probe, destination);
    };
    if (dut.forwarded_valid && in.forwarded_ready) left(forwarded(dut), dut.forwarded_destination);
    if constexpr (P.deflected > 0)
      if (dut.deflected_valid && in.deflected_ready) left(deflected(dut), dut.deflected_destination);
    if (dut.reply_valid && in.reply_ready && wrong.empty()) {
      golden::LineData data{};
      words_of(dut.reply_data, data, data_bits);
      wrong = scoreboard_.answers(dut.reply_group, data[0]);
    }
    if (in.probe && !dut.dropped) scoreboard_.came(*in.probe);
    return wrong.empty() ? std::nullopt : std::optional(Difference{wrong, 1, 0});
  }

  void see(const Inputs& inputs) {
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    const Unit::In& in = inputs.in;
    const Probe *const waits = golden_.snoop(), *const leaves = golden_.forwarded();
    seen_["a snoop that the L1 does not take"] += waits && !in.snoop_ready;
    if (in.probe) see_arrival(in);
    if (in.answer) see_answer(golden_.asked().front(), *in.answer);
    seen_["a probe behind the L1 waits"] += leaves && !in.forwarded_ready;
    seen_["a line waits"] += golden_.reply() && !in.reply_ready;
    seen_["no place is left behind the L1"] += golden_.incoming_full() && !waits;
    seen_["a probe goes back"] += leaves && leaves->returns();
    if (P.coverage > 1) seen_["a probe goes on"] += leaves && !leaves->returns();
  }

  void see_arrival(const Unit::In& in) {
    const bool deflected = golden_.deflects(in), last = in.probe->behind(false).returns();
    seen_["a probe is dropped"] += golden_.drops(in);
    if (P.deflected == 0) return;
    seen_["a leader is deflected"] += deflected && in.probe->leader;
    seen_["a scout is deflected"] += deflected && !in.probe->leader;
    seen_["a probe is deflected at its last target"] += deflected && last;
    if (P.coverage > 1) seen_["a probe is deflected before its last target"] += deflected && !last;
  }

  void see_answer(const Probe& probe, const Unit::Answer& answer) {
    const bool leads = probe.leader, last = probe.behind(answer.found).returns();
    seen_["a scout finds the line"] += !leads && answer.found;
    seen_["a scout finds nothing"] += !leads && !answer.found;
    seen_["a leader finds nothing"] += leads && !answer.found;
    seen_["a leader finds the line at its first target"] += leads && answer.found && probe.pointer == 0;
    seen_["a leader finds the line at its last target"] += leads && answer.found && last;
  }

  Unit golden_{P};
  ProbeHandlerStimulus stimulus_{P};
  ProbeHandlerScoreboard scoreboard_;
  std::optional<StateCompare> state_;
  std::uint64_t shown_ = 0;
  Goals seen_;
};

}  // namespace verif
