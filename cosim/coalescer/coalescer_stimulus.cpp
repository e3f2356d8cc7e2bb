#include "cosim/coalescer/coalescer_stimulus.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace verif {

using golden::RequestKind;

void CoalescerStimulus::plan() {
  static constexpr std::array<unsigned, 5> rates{16, 96, 192, 240, 256};
  left_ = 60 + static_cast<int>(below(300));
  for (unsigned* rate : {&lanes_, &answers_taken_, &requests_taken_, &answers_})
    *rate = rates[below(rates.size())];
  in_order_ = std::array{0u, 128u, 256u}[below(3)];
  stores_ = std::array{0u, 64u, 224u}[below(3)];
  base_ = draw_();
  flat_ = below(4) == 0;
  if (flat_) answers_ = 16;
  hoards_ = below(8) == 0;
  if (!hoards_) return;
  left_ = 64 + (8 << p_.core_id_bits);
  lanes_ = requests_taken_ = 256;
  stores_ = 224;
}

// How lanes' addresses lie: one after the other, in one chunk, or in a given number of lines, any lane in
// any of them.
void CoalescerStimulus::places(Instruction& i) {
  const auto line = static_cast<unsigned>(p_.line_bytes), lanes = static_cast<unsigned>(p_.lanes);
  const std::uint64_t how = flat_ ? below(2) : below(8), size = std::uint64_t{1} << i.size;
  const std::uint64_t first = base_ + below(8) * line + below(line);
  const auto degree = 1 + below(lanes);
  std::vector<unsigned> order(lanes);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, draw_);
  for (unsigned n = 0; n < lanes; ++n) {
    const unsigned lane = order[n];
    std::uint64_t at = first + lane * size;
    if (how == 1) at = first / line * line + below(static_cast<unsigned>(p_.chunk_bytes));
    if (how > 1) at = first / line * line + (n < degree ? n : below(degree)) * line + below(line);
    if (how == 7 && below(2)) at = first;
    i.address[lane] = at & (~std::uint64_t{0} >> (64 - p_.address_bits));
  }
}

std::optional<golden::LaneInstruction> CoalescerStimulus::instruction() {
  std::vector<std::uint64_t> free;
  for (std::uint64_t id = 0; id < static_cast<unsigned>(p_.instructions); ++id)
    if (!busy_.contains(id)) free.push_back(id);
  // A store needs an id, too; hoarding must not end without one.
  if (free.empty()) return {};
  const bool store = often(stores_) || (hoards_ && free.size() == 1);
  Instruction i{.id = free[below(free.size())], .kind = store ? RequestKind::store : RequestKind::load};
  static constexpr std::array kinds{RequestKind::load, RequestKind::load, RequestKind::non_l1,
                                    RequestKind::atomic};
  if (!store) i.kind = kinds[below(flat_ ? 3 : 4)];
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - p_.lanes), one = a_lane(), other = a_lane();
  i.mask = std::array{all, draw_() & all, draw_() & draw_() & all, one, one | other}[below(5)];
  if (i.mask == 0) i.mask = all;
  i.size = static_cast<int>(below(std::bit_width(static_cast<unsigned>(p_.lane_bytes))));
  places(i);
  for (int lane = 0; lane < p_.lanes; ++lane)
    for (std::uint8_t& byte : i.data[static_cast<std::size_t>(lane)])
      byte = static_cast<std::uint8_t>(draw_());
  return i;
}

void CoalescerStimulus::cache_answers() {
  if (hoards_ && at_cache_.size() + 1 > std::uint64_t{1} << p_.core_id_bits) hoards_ = false, left_ = 200;
  if (core_response_ || at_cache_.empty() || hoards_ || !often(answers_)) return;
  const auto asked =
      at_cache_.begin() + static_cast<std::ptrdiff_t>(often(in_order_) ? 0 : below(at_cache_.size()));
  Message answer{.id = asked->id, .mask = asked->kind == RequestKind::store ? 0 : asked->mask};
  for (unsigned w = 0; w < static_cast<unsigned>(p_.line_bytes) / 8; ++w)
    answer.data[w] = answer.mask ? word_at(asked->address + 8 * w) : draw_();
  at_cache_.erase(asked);
  core_response_ = answer;
}

CoalescerInputs CoalescerStimulus::draw(std::mt19937_64& draw) {
  draw_.seed(draw());
  if (left_-- <= 0) plan();
  CoalescerInputs drawn{.rst = below(8'000) == 0};
  if (!offered_ && often(lanes_)) offered_ = instruction();
  cache_answers();
  drawn.in = {.lane_request = offered_,
              .core_response = core_response_,
              .lane_response_ready = often(answers_taken_),
              .core_request_ready = often(requests_taken_)};
  return drawn;
}

void CoalescerStimulus::edge(const CoalescerInputs& inputs, const Unit::Out& out) {
  if (inputs.rst) {
    busy_.clear(), at_cache_.clear();
    offered_.reset(), core_response_.reset();
    return;
  }
  const Unit::In& in = inputs.in;
  if (in.lane_request && out.lane_request_ready) {
    if (offered_->kind != RequestKind::store) busy_.insert(offered_->id);
    offered_.reset();
  }
  if (out.core_request && in.core_request_ready) at_cache_.push_back(*out.core_request);
  if (in.core_response && out.core_response_ready) core_response_.reset();
  if (out.lane_response && in.lane_response_ready) busy_.erase(out.lane_response->id);
}

}  // namespace verif
