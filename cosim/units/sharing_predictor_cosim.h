// Lock step of the sharing predictor and its reference model; and properties that do not come from the model:
// each instruction keeps an entry of its own, taken in order, and one without replies is predicted shared by
// a sequence that the parameters alone give.
#pragma once
#include <algorithm>
#include <map>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "cosim/units/sharing_predictor_stimulus.h"

namespace verif {

template <class Dut, hw::SharingPredictorParams P>
class SharingPredictorBench {
 public:
  using Inputs = SharingPredictorInputs;
  using Unit = golden::SharingPredictor;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.answer(in.in).shared;
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  // States the goals, of which none is reached yet.
  SharingPredictorBench() {
    see({}, {});
    if (P.kind != hw::PredictorKind::always)
      for (int s = 0; s < P.window.count; ++s)
        for (const bool enough : {false, true}) seen_[window_end(s, enough)] = 0;
    for (auto& [goal, times] : seen_) times = 0;
  }

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    dut.miss = in.miss, dut.reply = in.reply, dut.clear = in.clear;
    dut.miss_pc = static_cast<std::remove_reference_t<decltype(dut.miss_pc)>>(in.pc);
    if constexpr (requires { dut.reply_slot; }) dut.reply_slot = static_cast<std::uint8_t>(in.slot);
  }

  static std::string words(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    return fmt::format("miss {:d} pc {:#x}, reply {:d} slot {}, clear {:d}", in.miss, in.pc, in.reply,
                       in.slot, in.clear);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    Unit::Answer got{dut.shared != 0, dut.tracked != 0, 0};
    if constexpr (requires { dut.slot; }) got.slot = dut.slot;
    const Unit::Answer want = golden_.answer(inputs.in);
    if (got.shared != want.shared) return Difference{"shared", got.shared, want.shared};
    if (got.tracked != want.tracked) return Difference{"tracked", got.tracked, want.tracked};
    if (got.slot != want.slot) return Difference{"slot", got.slot, want.slot};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    shared_shown_ = got.shared;
    return P.kind == hw::PredictorKind::always ? std::nullopt : broken_property(got, inputs.in);
  }

  void edge(const Inputs& inputs) {
    const Unit::In& in = inputs.in;
    const Unit::Answer answer = golden_.answer(in);
    see(inputs, answer);
    const bool forgets = inputs.rst || in.clear;
    if (forgets) known_.clear();
    if (!forgets && in.reply)
      for (auto& [pc, instruction] : known_) instruction.replied |= instruction.slot == in.slot;
    if (!forgets && answer.tracked) ++known_.try_emplace(in.pc, Known{answer.slot}).first->second.misses;
    stimulus_.after(inputs, golden_);
    inputs.rst ? golden_.reset() : golden_.edge(in);
    if (const auto& step = golden_.step()) ++seen_[window_end(step->state, step->enough)];
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("shared", 1, &shared_shown_); }

  Goals goals() { return seen_; }

 private:
  struct Known {
    unsigned slot = 0;
    int misses = 0;
    bool replied = false;
  };

  static std::string window_end(int state, bool enough) {
    return fmt::format("state {}: {}", state,
                       enough ? "more shared, or the most" : "less shared, or the least");
  }

  // Of the n-th miss of an instruction that no core has ever replied to.
  static bool shared_without_replies(int n) {
    int state = 0;
    for (; n >= P.window[state]; state = std::min(state + 1, P.window.count - 1)) n -= P.window[state];
    return n < P.shared[state];
  }

  std::optional<Difference> broken_property(const Unit::Answer& got, const Unit::In& in) {
    if (!in.miss) return {};
    const auto known = known_.find(in.pc);
    const bool has_entry = known != known_.end() || known_.size() < static_cast<std::size_t>(P.entries);
    if (got.tracked != has_entry) return Difference{"tracked, of an instruction", got.tracked, has_entry};
    if (!got.tracked)
      return got.shared ? std::optional(Difference{"shared, of no entry", 1, 0}) : std::nullopt;
    const std::size_t slot = known == known_.end() ? known_.size() : known->second.slot;
    if (got.slot != slot) return Difference{"slot, which an instruction keeps", got.slot, slot};
    const Known instruction = known == known_.end() ? Known{} : known->second;
    if (instruction.replied) return {};
    const bool shared = shared_without_replies(instruction.misses);
    return got.shared == shared ? std::nullopt
                                : std::optional(Difference{"shared, without replies", got.shared, shared});
  }

  void see(const Inputs& inputs, const Unit::Answer& answer) {
    const Unit::In& in = inputs.in;
    seen_["reset"] += inputs.rst;
    if (inputs.rst || P.kind == hw::PredictorKind::always) return;
    seen_["clear"] += in.clear;
    seen_["a miss in the cycle of a clear"] += in.clear && in.miss;
    seen_["the first use of an instruction"] += answer.tracked && !known_.contains(in.pc);
    seen_["no entry is left"] += in.miss && !answer.tracked;
    seen_["a late reply, in the next window"] += inputs.late;
    const Unit::Entry& entry = golden_.entries()[in.slot];
    const bool reply = in.reply && !in.clear, both = reply && answer.tracked && answer.slot == in.slot;
    seen_["reply and miss of one instruction"] += both;
    seen_["the last reply that is needed in the last cycle"] +=
        both && entry.misses + 1 == P.window[entry.state] && entry.replies + 1 == P.threshold[entry.state];
    seen_["replies at their most"] += reply && entry.replies == (1 << hw::predictor_reply_bits(P)) - 1;
  }

  Unit golden_{P};
  SharingPredictorStimulus stimulus_{P};
  std::optional<StateCompare> state_;
  std::map<std::uint32_t, Known> known_;  // by the instruction
  std::uint64_t shared_shown_ = 0;
  Goals seen_;
};

}  // namespace verif
