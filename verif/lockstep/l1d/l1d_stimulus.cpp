#include "verif/lockstep/l1d/l1d_stimulus.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <ranges>
#include <set>
#include <utility>

#include "golden/index/run_time_index.h"

namespace verif {

using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;

// Of the addresses of a scene, so that the memory stays small.
static constexpr int most_moving_bits = 11;

L1dStimulus::L1dStimulus(const hw::L1dParams& params, std::uint64_t seed, std::int64_t cycles,
                         const L1dBooks& books)
    : params_(params),
      cycles_(cycles),
      books_(books),
      draw_(seed),
      memory_(params),
      all_chunks_(~0u >> (32 - hw::chunks_of_line(params))),
      id_mask_(~0u >> (32 - params.core_id_bits)),
      slots_(std::min(books.slots(), 256u)),
      traffic_(tag_traffic(params.tags)),
      scene_(params.address_bits - std::countr_zero(static_cast<unsigned>(params.line_bytes)),
             std::countr_zero(static_cast<unsigned>(params.line_bytes)), most_moving_bits) {
  if (params.tags == hw::TagKind::split) split_.emplace(params, draw_);
  make_lines();
  make_bytes();
  if (hw::reads_degrees(params.bypass)) bucl_.emplace(params, draw_());
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

L1dStimulus::Pulse L1dStimulus::pulse() {
  static constexpr unsigned rates[] = {16, 16, 16, 14, 8, 8, 2, 1};
  return {.rate = any_of(rates), .bursts = chance(5)};
}

bool L1dStimulus::beat(Pulse& p) {
  if (!p.bursts) return p.rate == 16 || chance(p.rate);
  if (p.left-- <= 0) {
    p.on = !p.on;
    p.left = static_cast<int>(draw_() % (p.on ? 2 * p.rate : 40 - 2 * p.rate));
  }
  return p.on;
}

L1dMemory::Manner L1dStimulus::manner() {
  static constexpr std::pair<int, int> latencies[] = {{1, 1}, {1, 4}, {2, 30}, {30, 60}, {20, 300}};
  static constexpr unsigned rates[] = {16, 16, 15, 8, 2};
  static constexpr L1dMemory::Order orders[] = {L1dMemory::Order::first, L1dMemory::Order::last,
                                                L1dMemory::Order::any, L1dMemory::Order::any};
  const auto [least, most] = any_of(latencies);
  return {.least_latency = least,
          .most_latency = most,
          .order = any_of(orders),
          .ready_rate = any_of(rates),
          .places = chance(2) ? 2 : 1 << 20};
}

// So many of a set just fit, or just do not.
std::size_t L1dStimulus::lines_of_interest() {
  const std::vector<std::size_t> numbers = traffic_.lines_of_interest(params_);
  return numbers.size() == 1 ? numbers.front() : any_of(numbers);
}

void L1dStimulus::open_lines() {
  const auto& hot = any_of(hot_sets_);
  const auto some = [&](std::size_t n) {
    const std::size_t first = draw_() % hot.size();
    for (std::size_t i = 0; i < std::min(n, hot.size()); ++i) lines_.push_back(hot[(first + i) % hot.size()]);
  };
  lines_.clear();
  sequential_ = chance(4);
  switch (draw_() % 8) {
    case 0:
      some(1);
      break;
    case 1:
      some(2 + draw_() % 3);
      break;
    case 2:
      some(lines_of_interest());
      break;
    case 3:
    case 4:
      lines_ = hot;
      break;
    case 5:
      for (const auto& h : hot_sets_) lines_.insert(lines_.end(), h.begin(), h.end());
      break;
    default:
      lines_ = spread_;
  }
  if (chance(2)) lines_.push_back(any_of(spread_));
}

// What is rare at random: everything full at once, or nothing in the way.
void L1dStimulus::open_recipe() {
  weights_ = {16, 0, 0, 0};
  requests_ = responses_ = {};
  most_ids_ = slots_;
  flush_rate_ = chance(4) ? 16 : 0;
  L1dMemory::Manner slow{.least_latency = 250, .most_latency = 500, .order = L1dMemory::Order::any};
  switch (draw_() % (traffic_.shared_ways ? 8 : 6)) {
    case 0:  // all entries
      lines_ = spread_;
      sequential_ = true;
      masks_ = Masks::one;
      break;
    case 1:  // all merges
      lines_.resize(1 + draw_() % std::min<std::size_t>(2, lines_.size()));
      break;
    case 2:  // the queue
      weights_ = {8, 6, 1, 1};
      slow.ready_rate = 1;
      break;
    case 3:  // doomed entries
      weights_ = {13, 3, 0, 0};
      lines_.resize(1 + draw_() % std::min<std::size_t>(3, lines_.size()));
      break;
    case 4:  // nothing but hits in the end
      lines_.assign(1, any_of(spread_));
      slow = {.least_latency = 1, .most_latency = 2};
      flush_rate_ = 0;
      break;
    case 5:  // all ways of a set
      lines_ = any_of(hot_sets_);
      sequential_ = true;
      masks_ = Masks::all;
      break;
    case 6:  // one fill is late, and a flush comes before it
      lines_ = any_of(hot_sets_);
      masks_ = Masks::one;
      flush_rate_ = 16;
      slow = {.least_latency = 1,
              .most_latency = 4,
              .order = L1dMemory::Order::any,
              .straggler_rate = 1,
              .straggler_latency = 400};
      break;
    default:  // hits in all ways of some sets, and now and then a fill among them
      lines_.clear();
      for (const auto& hot : hot_sets_)
        std::ranges::copy(hot | std::views::take(whole_lines_of_set(params_)), std::back_inserter(lines_));
      masks_ = Masks::all;
      weights_ = {15, 1, 0, 0};
      flush_rate_ = 0;
      slow = {.least_latency = 1, .most_latency = 8};
  }
  memory_.behave(slow);
}

// Loads enough for a phase or a round of the monitor.
void L1dStimulus::open_scene() {
  static constexpr Weights kinds[] = {{16, 0, 0, 0}, {16, 0, 0, 0}, {15, 1, 0, 0}, {13, 2, 0, 1}};
  scene_.open(draw_, adaptive_->sel());
  const auto round = static_cast<std::uint64_t>(2 * params_.adaptive.period + params_.adaptive.idle);
  phase_left_ += static_cast<std::int64_t>(draw_() % std::min<std::uint64_t>(3 * round, 12'000));
  reset_ |= draw_() % 12 == 0;  // scenes are long, and so are few
  weights_ = any_of(kinds);
  if (!chance(10)) return;
  requests_ = responses_ = {};
  most_ids_ = slots_;
  memory_.behave({.least_latency = 1, .most_latency = chance(8) ? 4 : 40});
}

void L1dStimulus::open_phase() {
  static constexpr Weights kinds[] = {{16, 0, 0, 0}, {15, 1, 0, 0}, {13, 2, 0, 1},
                                      {8, 4, 2, 2},  {2, 13, 0, 1}, {12, 0, 3, 1}};
  static constexpr unsigned flushes[] = {0, 0, 0, 0, 4, 12, 100, 2000};
  phase_left_ = 100 + static_cast<std::int64_t>(draw_() % 1400);
  reset_ |= draw_() % 24 == 0;
  open_lines();
  masks_ = static_cast<Masks>(draw_() % 3);
  weights_ = any_of(kinds);
  requests_ = pulse();
  responses_ = pulse();
  flush_rate_ = any_of(flushes);
  controls_.open_phase(draw_);
  last_id_first_ = chance(8);
  const unsigned limits[] = {1, 2, 8, slots_, slots_};
  most_ids_ = any_of(limits);
  memory_.behave(manner());
  in_scene_ = adaptive_ && chance(10);
  if (split_ && split_->open_phase(draw_, phase_left_))
    open_duel();
  else if (in_scene_)
    open_scene();
  else if (chance(5))
    open_recipe();
  if (params_.tags != hw::TagKind::reuse_filter) return;
  // A line gets data when it has been asked for often enough.
  const unsigned often[] = {1, 1, 1, 2, static_cast<unsigned>(std::max(1, params_.reuse.threshold))};
  repeats_ = any_of(often);
  repeated_ = 0;
}

// Loads of both modes' sampler sets, as fast as they go.
void L1dStimulus::open_duel() {
  in_scene_ = false;
  weights_ = {16, 0, 0, 0};
  requests_ = responses_ = {};
  most_ids_ = slots_;
  flush_rate_ = 0;
  memory_.behave({.least_latency = 1, .most_latency = 2});
}

std::uint32_t L1dStimulus::draw_mask() {
  if (split_ && split_->duels()) return split_->mask();
  if (masks_ == Masks::all) return all_chunks_;
  if (masks_ == Masks::one) return 1u << draw_() % static_cast<unsigned>(hw::chunks_of_line(params_));
  return 1 + static_cast<std::uint32_t>(draw_() % all_chunks_);
}

std::uint64_t L1dStimulus::draw_line() {
  const bool duels = split_ && split_->duels();
  if (duels && !adaptive_) return split_->next(hot_sets_);
  if (duels || in_scene_) {
    const std::uint64_t line = duels ? split_->next(adaptive_->sel(), hot_sets_.front().size())
                                     : scene_.block(draw_) * static_cast<std::uint64_t>(params_.line_bytes);
    if (std::ranges::find(apart_, line) == apart_.end()) return line;
  }
  if (repeats_ > 1 && repeated_++ % repeats_ != 0) return drawn_line_;
  if (!sequential_) return drawn_line_ = any_of(lines_);
  next_line_ = next_line_ + 1 < lines_.size() ? next_line_ + 1 : 0;
  return drawn_line_ = lines_[next_line_];
}

void L1dStimulus::draw_request(L1dIn& in) {
  const auto drawn = static_cast<unsigned>(draw_() % 16);
  const Weights& w = weights_;
  const RequestKind kind = drawn < w.load                        ? RequestKind::load
                           : drawn < w.load + w.store            ? RequestKind::store
                           : drawn < w.load + w.store + w.atomic ? RequestKind::atomic
                                                                 : RequestKind::non_l1;
  const std::uint64_t draw = draw_();
  if (!last_id_first_) std::swap(free_ids_.back(), free_ids_[(draw >> 40) % free_ids_.size()]);
  in.core_request_kind = kind;
  in.core_request_id = (static_cast<std::uint32_t>(draw) & ~(slots_ - 1) & id_mask_) | free_ids_.back();
  // Offset bits are drawn too: nothing may depend on them.
  const std::uint64_t offset = draw >> 32 & static_cast<std::uint64_t>(params_.line_bytes - 1);
  in.core_request_address = (kind == RequestKind::non_l1 ? any_of(apart_) : draw_line()) | offset;
  if (kind == RequestKind::load || (kind == RequestKind::non_l1 && chance(8))) {
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
  request_waits_ = flush_waits_ = false;
  if (bucl_) bucl_->restart();
}

bool L1dStimulus::drive(L1dIn& in) {
  if (cycle_ >= cycles_) {
    // What is under way is answered in the end; who waits longer waits for ever.
    if (books_.outstanding() == 0 || cycle_ == cycles_ + 50'000) return false;
    drain(in);
    return true;
  }
  if (phase_left_-- == 0) open_phase();
  in.rst = std::exchange(reset_, false);
  if (in.rst) restart();
  if (!request_waits_) {
    const bool free = books_.outstanding() < most_ids_ && !free_ids_.empty();
    in.core_request_valid = beat(requests_) && free;
    // Now and then fields that nobody may look at.
    if (in.core_request_valid || (!free_ids_.empty() && draw_() % 64 == 0)) {
      draw_request(in);
      if (bucl_) bucl_->request(in);
    }
    if (in.core_request_valid) free_ids_.pop_back();
  }
  in.core_response_ready = beat(responses_);
  if (!flush_waits_) in.flush_valid = flush_rate_ && draw_() % 4096 < flush_rate_;
  controls_.drive(in.controls, draw_);
  if (bucl_) bucl_->cycle(in);
  memory_.drive(in, draw_);
  return true;
}

void L1dStimulus::drain(L1dIn& in) {
  in.rst = false;
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
  if (out.core_response_valid && in.core_response_ready)
    free_ids_.push_back(out.core_response_id & (slots_ - 1));
  memory_.clock(out.memory_request_valid && in.memory_request_ready ? &out : nullptr,
                in.memory_response_valid && out.memory_response_ready);
}

}  // namespace verif
