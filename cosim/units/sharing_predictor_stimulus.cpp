#include "cosim/units/sharing_predictor_stimulus.h"

#include <algorithm>
#include <array>

#include "cosim/units/draw.h"

namespace verif {
namespace {

using golden::SharingPredictor;
constexpr std::size_t most_asked = 24;

}  // namespace

void SharingPredictorStimulus::plan(std::mt19937_64& draw) {
  static constexpr std::array<unsigned, 5> rates{16, 64, 128, 224, 256};
  const int cycles_of_a_miss = 1 + p_.stages;
  left_ = cycles_of_a_miss * (100 + static_cast<int>(draw() % 400));
  misses_ = rates[draw() % rates.size()];
  replies_ = draw() % 4 == 0 ? 0 : rates[draw() % rates.size()] / (1 + draw() % 4);
  const auto entries = static_cast<std::uint64_t>(p_.entries);
  instructions_ = std::array<std::uint64_t, 4>{1, 2, entries, 2 * entries}[draw() % 4];
  first_ = draw() % 4 ? 0 : draw();
  in_order_ = draw() % 2;
  sparing_ = draw() % 3 == 0;
  last_alone_ = draw() % 2;
  if (!sparing_) return;
  // Over some windows of one instruction or two.
  left_ += 2 * cycles_of_a_miss * *std::ranges::max_element(p_.window);
  misses_ = 224, replies_ = 224;
  instructions_ = 1 + draw() % 2;
}

// No replies beyond the needed ones, which are left for the windows to come; and the last needed one
// in the last cycle of its window alone, if so planned. The reply that is sent is `which` of the expected
// ones.
std::size_t SharingPredictorStimulus::spare(SharingPredictor::In& in, std::size_t which,
                                            const SharingPredictor& unit) const {
  const auto missing = [&](const Asked& asked) {
    const SharingPredictor::Entry& entry = unit.entries()[asked.slot];
    return p_.threshold[entry.state] - entry.replies;
  };
  const auto last = std::ranges::find_if(asked_, [&](const Asked& asked) {
    const SharingPredictor::Entry& entry = unit.entries()[asked.slot];
    return missing(asked) == 1 && entry.misses + 1 == p_.window[entry.state];
  });
  if (last_alone_ && last != asked_.end()) {
    in.miss = in.reply = true;
    in.pc = unit.entries()[last->slot].pc;
    if (p_.stages && shown_ != in.pc) in.reply = false;  // its miss is a cycle later
    return static_cast<std::size_t>(last - asked_.begin());
  }
  if (in.reply && missing(asked_[which]) <= (last_alone_ ? 1 : 0)) in.reply = false;
  return which;
}

// With stages an instruction is there in the cycle before its miss, too.
void SharingPredictorStimulus::show_before(SharingPredictor::In& in, bool forgets) {
  if (p_.stages == 0) return;
  in.miss = in.miss && shown_ == in.pc;
  shown_.reset();
  if (!in.miss && !forgets) shown_ = in.pc;
}

SharingPredictorInputs SharingPredictorStimulus::draw(std::mt19937_64& draw, const SharingPredictor& unit) {
  if (left_-- == 0) plan(draw);
  SharingPredictorInputs drawn{.rst = draw() % 20'000 == 0};
  SharingPredictor::In& in = drawn.in;
  const int between = (1 + p_.stages) * (3'000 + 8 * *std::ranges::max_element(p_.window));
  in.clear = draw() % static_cast<unsigned>(between) == 0;
  in.miss = often(draw, misses_);
  in.pc =
      static_cast<std::uint32_t>((first_ + draw() % instructions_) & ((std::uint64_t{1} << p_.pc_bits) - 1));
  if (shown_ && draw() % 8) in.pc = *shown_;
  in.reply = !asked_.empty() && often(draw, replies_);
  std::size_t which = in.reply && !in_order_ ? draw() % asked_.size() : 0;
  if (sparing_) which = spare(in, which, unit);
  show_before(in, drawn.rst || in.clear);
  if (!in.reply) return drawn;
  const Asked asked = asked_[which];
  asked_.erase(asked_.begin() + static_cast<std::ptrdiff_t>(which));
  in.slot = asked.slot;
  drawn.late = unit.entries()[asked.slot].misses <= asked.misses;
  return drawn;
}

void SharingPredictorStimulus::after(const SharingPredictorInputs& inputs, const SharingPredictor& unit) {
  if (inputs.rst || inputs.in.clear) return asked_.clear();
  const SharingPredictor::Answer answer = unit.answer(inputs.in);
  if (!answer.shared || !answer.tracked) return;
  if (asked_.size() == most_asked) asked_.erase(asked_.begin());
  const bool known = answer.slot < unit.entries().size();
  asked_.push_back({answer.slot, known ? unit.entries()[answer.slot].misses : 0});
}

}  // namespace verif
