#include "verif/lockstep/units/sharing_predictor_stimulus.h"

#include <array>

#include "verif/lockstep/units/draw.h"

namespace verif {
namespace {

using golden::SharingPredictor;
constexpr std::size_t most_asked = 24;

}  // namespace

void SharingPredictorStimulus::plan(std::mt19937_64& draw) {
  static constexpr std::array<unsigned, 5> rates{16, 64, 128, 224, 256};
  left_ = 100 + static_cast<int>(draw() % 400);
  misses_ = rates[draw() % rates.size()];
  replies_ = draw() % 4 == 0 ? 0 : rates[draw() % rates.size()] / (1 + draw() % 4);
  const auto entries = static_cast<std::uint64_t>(p_.entries);
  instructions_ = std::array<std::uint64_t, 4>{1, 2, entries, 2 * entries}[draw() % 4];
  first_ = draw() % 4 ? 0 : draw();
  in_order_ = draw() % 2;
}

SharingPredictorInputs SharingPredictorStimulus::draw(std::mt19937_64& draw, const SharingPredictor& unit) {
  if (left_-- == 0) plan(draw);
  SharingPredictorInputs drawn{.rst = draw() % 20'000 == 0};
  SharingPredictor::In& in = drawn.in;
  in.clear = draw() % 3'000 == 0;
  in.miss = often(draw, misses_);
  in.pc =
      static_cast<std::uint32_t>((first_ + draw() % instructions_) & ((std::uint64_t{1} << p_.pc_bits) - 1));
  in.reply = !asked_.empty() && often(draw, replies_);
  if (!in.reply) return drawn;
  const std::size_t which = in_order_ ? 0 : draw() % asked_.size();
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
