#include "cosim/l1d/l1d_stimulus.h"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

#include "cosim/l1d/iacm_inputs.h"
#include "golden/index/run_time_index.h"

namespace verif {

using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;

// Of the addresses of a sequence, so that the memory stays small.
static constexpr int most_moving_bits = 11;

L1dStimulus::L1dStimulus(const hw::L1dParams& params, std::uint64_t seed, std::int64_t cycles,
                         const L1dScoreboard& scoreboard)
    : params_(params),
      cycles_(cycles),
      scoreboard_(scoreboard),
      draw_(seed),
      memory_(params),
      all_chunks_(~0u >> (32 - hw::chunks_of_line(params))),
      id_mask_(~0u >> (32 - params.core_id_bits)),
      slots_(std::min(scoreboard.slots(), 256u)),
      traffic_(tag_traffic(params.tags)),
      environment_(params.address_bits - std::countr_zero(static_cast<unsigned>(params.line_bytes)),
                   std::countr_zero(static_cast<unsigned>(params.line_bytes)), most_moving_bits),
      walk_(params.address_bits - std::countr_zero(static_cast<unsigned>(params.line_bytes)),
            std::countr_zero(static_cast<unsigned>(params.line_bytes))) {
  if (params.tags == hw::TagKind::split) split_.emplace(params, draw_);
  make_lines();
  make_bytes();
  mechanisms_ = stimuli_of(params, [this] { return draw_(); });
}

// Some sets with more lines than ways, lines anywhere, and lines kept apart, wherever the index sends them.
void L1dStimulus::make_lines() {
  const golden::RunTimeIndex index(params_.index);
  std::set<std::uint64_t> taken;
  const auto line = [&] { return split_ ? split_->line(index, draw_) : index.block_of(draw_()); };
  const auto fresh = [&](std::uint64_t block) { return taken.insert(block).second; };
  const std::size_t per_set = traffic_.lines_of_set(params_);
  std::vector<unsigned> sets;
  if (split_) sets = split_->samplers();
  for (int tries = 0; tries < 1000 && sets.size() < 4; ++tries)
    if (const unsigned s = index.set_of(line()); std::ranges::find(sets, s) == sets.end()) sets.push_back(s);
  hot_sets_.resize(sets.size());
  for (int tries = 0; tries < 200'000; ++tries) {
    const std::uint64_t block = line();
    const auto at = std::ranges::find(sets, index.set_of(block));
    if (at == sets.end()) continue;
    auto& lines = hot_sets_[static_cast<std::size_t>(at - sets.begin())];
    if (lines.size() < per_set && fresh(block)) lines.push_back(index.address_of(block));
    if (lines.size() == per_set && apart_.size() < 8 && fresh(block))
      apart_.push_back(index.address_of(block));
  }
  while (apart_.size() < 16)
    if (const std::uint64_t block = line(); fresh(block)) apart_.push_back(index.address_of(block));
  const int resident = params_.capacity_bytes / params_.line_bytes;
  for (int i = 0; i < std::clamp(resident + resident / 4, 16, 1024); ++i)
    if (const std::uint64_t block = line(); fresh(block)) spread_.push_back(index.address_of(block));
  while (spread_.empty())  // where shared tags are few, most lines are in the sets above
    if (const std::uint64_t block = line(); fresh(block)) spread_.push_back(index.address_of(block));
}

void L1dStimulus::make_bytes() {
  bytes_.resize(128);
  const int chunk = params_.chunk_bytes;
  for (Bytes& b : bytes_) {
    for (int w = 0; w < params_.line_bytes / 8; ++w) b.data[static_cast<std::size_t>(w)] = draw_();
    b.mask = chance(4)   ? all_chunks_
             : chance(8) ? 1u << draw_() % static_cast<unsigned>(hw::chunks_of_line(params_))
                         : 1 + static_cast<std::uint32_t>(draw_() % all_chunks_);
    const unsigned density = chance(2) ? 0 : chance(8) ? 16 : 5;  // in sixteenths of the bytes
    for (int byte = 0; byte < params_.line_bytes; ++byte)
      if (b.mask >> (byte / chunk) & 1 && chance(density))
        b.enables[static_cast<std::size_t>(byte / 64)] |= std::uint64_t{1} << byte % 64;
  }
}

bool L1dStimulus::beat(Pulse& p) {
  if (!p.bursts) return p.rate == 16 || chance(p.rate);
  if (p.left-- <= 0) {
    p.on = !p.on;
    p.left = static_cast<int>(draw_() % (p.on ? 2 * p.rate : 40 - 2 * p.rate));
  }
  return p.on;
}

std::uint32_t L1dStimulus::draw_mask() {
  if (split_ && split_->duels()) return split_->mask();
  if (masks_ == Masks::all) return all_chunks_;
  if (masks_ == Masks::one) return 1u << draw_() % static_cast<unsigned>(hw::chunks_of_line(params_));
  return 1 + static_cast<std::uint32_t>(draw_() % all_chunks_);
}

std::uint64_t L1dStimulus::draw_line() {
  if (own_phase_) return own_phase_->wants_hit() ? lines_.front() : any_of(spread_);
  const bool duels = split_ && split_->duels();
  if (duels && !adaptive_) return split_->next(hot_sets_);
  if (duels || in_environment_) {
    const std::uint64_t line =
        duels ? split_->next(adaptive_->sel(), hot_sets_.front().size())
              : environment_.block(draw_) * static_cast<std::uint64_t>(params_.line_bytes);
    if (std::ranges::find(apart_, line) == apart_.end()) return line;
  }
  if (repeats_ > 1 && repeated_++ % repeats_ != 0) return drawn_line_;
  if (fills_) {
    const std::uint64_t line = filling_.address(draw_);
    if (std::ranges::find(apart_, line) == apart_.end()) return drawn_line_ = line;
  }
  if (!sequential_) return drawn_line_ = any_of(lines_);
  next_line_ = next_line_ + 1 < lines_.size() ? next_line_ + 1 : 0;
  return drawn_line_ = lines_[next_line_];
}

void L1dStimulus::draw_request(L1dIn& in) {
  const auto drawn = static_cast<unsigned>(draw_() % 16);
  const Weights& w = weights_;
  RequestKind kind = drawn < w.load                        ? RequestKind::load
                     : drawn < w.load + w.store            ? RequestKind::store
                     : drawn < w.load + w.store + w.atomic ? RequestKind::atomic
                                                           : RequestKind::non_l1;
  if (params_.drops && kind == RequestKind::store && chance(8)) kind = RequestKind::drop;
  if (params_.snoops && kind == RequestKind::load && chance(4)) kind = RequestKind::snoop;
  if (fills_ && filling_.stores()) kind = RequestKind::store;
  const std::uint64_t draw = draw_();
  if (!last_id_first_) std::swap(free_ids_.back(), free_ids_[(draw >> 40) % free_ids_.size()]);
  in.core_request_kind = kind;
  in.core_request_id = (static_cast<std::uint32_t>(draw) & ~(slots_ - 1) & id_mask_) | free_ids_.back();
  // Offset bits are drawn too: nothing may depend on them.
  const std::uint64_t offset = draw >> 32 & static_cast<std::uint64_t>(params_.line_bytes - 1);
  in.core_request_address = (kind == RequestKind::non_l1 ? any_of(apart_) : draw_line()) | offset;
  if (params_.pc_bits)
    in.core_request_sideband.pc = static_cast<std::uint32_t>(draw_() >> (64 - params_.pc_bits));
  // Often few warps, so that one stores and loads soon.
  if (const int bits = hw::warp_bits_of(params_))
    in.core_request_sideband.warp = static_cast<std::uint16_t>(draw_() >> (64 - (chance(8) ? 1 : bits)));
  hw::each_sideband_field(hw::sideband_bits(params_), [&](const auto& field, int bits) {
    static constexpr std::array above{hw::sideband::pc.name, hw::sideband::warp.name};
    const auto aims = [&](const auto& fields) { return std::ranges::count(fields, field.name) > 0; };
    auto& value = in.core_request_sideband.*field.value;
    if (!aims(above) && std::ranges::none_of(mechanisms_, [&](const auto& m) { return aims(m->fields()); }))
      value = static_cast<std::remove_reference_t<decltype(value)>>(draw_() >> (64 - bits));
  });
  const bool reads = kind == RequestKind::load || kind == RequestKind::snoop;
  if (reads || (kind == RequestKind::non_l1 && chance(8))) {
    in.core_request_mask = draw_mask();
    in.core_request_byte_enable = nullptr;
  } else {
    const Bytes& bytes = any_of(bytes_);
    in.core_request_mask = bytes.mask;
    in.core_request_byte_enable = &bytes.enables;
    in.core_request_data = &bytes.data;
  }
}

void L1dStimulus::restart() {
  free_ids_.clear();
  for (std::uint32_t id = 0; id < slots_; ++id) free_ids_.push_back(id);
  memory_.reset();
  request_waits_ = flush_waits_ = store_taken_ = false;
  for (const auto& mechanism : mechanisms_) mechanism->restart();
}

// A flush is taken in a change of sel only if no request waits.
bool L1dStimulus::awaits_change() const {
  return pauses_ && adaptive_ && adaptive_->step() == golden::AdiMonitor::Step::winner_search;
}

bool L1dStimulus::drive(L1dIn& in) {
  if (cycle_ >= cycles_) {
    // What is under way is answered in the end; who waits longer waits for ever.
    if (scoreboard_.outstanding() == 0 || cycle_ == cycles_ + 50'000) return false;
    drain(in);
    return true;
  }
  if (has_long_rounds(params_)) {
    const bool round = in_round() != std::exchange(was_in_round_, in_round());
    if (selects() != std::exchange(selected_, selects()) || round) phase_left_ = 0;
  }
  if (phase_left_-- == 0) open_phase();
  if (is_stuck()) reset_ = true;
  in.rst = std::exchange(reset_, false);
  if (in.rst) restart();
  if (!request_waits_) {
    const bool free = scoreboard_.outstanding() < most_ids_ && !free_ids_.empty();
    in.core_request_valid = beat(requests_) && free && !awaits_change();
    // Now and then fields that nobody may look at.
    if (in.core_request_valid || (!free_ids_.empty() && draw_() % 64 == 0)) {
      draw_request(in);
      for (const auto& mechanism : mechanisms_) mechanism->request(in);
    }
    if (in.core_request_valid) free_ids_.pop_back();
  }
  in.core_response_ready = beat(responses_);
  if (!flush_waits_) in.flush_valid = flush_rate_ && draw_() % 4096 < flush_rate_;
  if (!flush_waits_ && flush_rate_ && store_taken_) in.flush_valid |= draw_() % 8 == 0;
  if (!flush_waits_ && flush_rate_ && fills_ && filling_.is_full()) in.flush_valid |= draw_() % 512 == 0;
  // A change of sel takes three cycles.
  if (!flush_waits_ && adaptive_ && adaptive_->change_cycle()) in.flush_valid |= chance(8);
  if (fills_)
    if (const auto full = filling_.full_entry()) memory_.hurry(*full);
  controls_.drive(in.controls, draw_);
  for (const auto& mechanism : mechanisms_) mechanism->cycle(in);
  memory_.drive(in, draw_);
  return true;
}

// What an upset has made uncorrectable stays until a reset, which comes sooner or later.
bool L1dStimulus::is_stuck() { return cache_ && cache_->stuck() && chance(1); }

void L1dStimulus::drain(L1dIn& in) {
  in.rst = is_stuck();
  if (in.rst) restart();
  in.core_request_valid = in.core_request_valid && request_waits_;
  in.flush_valid = in.flush_valid && flush_waits_;
  in.core_response_ready = true;
  memory_.behave({});
  memory_.drive(in, draw_);
}

void L1dStimulus::clock(const L1dIn& in, const L1dOut& out, const L1dSeen&) {
  ++cycle_;
  if (in.rst) {
    restart();
    return;
  }
  request_waits_ = in.core_request_valid && !out.core_request_ready;
  flush_waits_ = in.flush_valid && !out.flush_ready;
  store_taken_ = params_.store_policy == hw::StorePolicyKind::update && in.core_request_valid &&
                 !request_waits_ && in.core_request_kind == RequestKind::store;
  if (in.core_request_valid && !request_waits_ && in.core_request_kind == RequestKind::drop)
    free_ids_.push_back(in.core_request_id & (slots_ - 1));  // nobody answers
  if (out.core_response_valid && in.core_response_ready)
    free_ids_.push_back(out.core_response_id & (slots_ - 1));
  memory_.clock(out.memory_request_valid && in.memory_request_ready ? &out : nullptr,
                in.memory_response_valid && out.memory_response_ready);
}

}  // namespace verif
