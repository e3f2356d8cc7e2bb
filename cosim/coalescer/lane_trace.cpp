#include "cosim/coalescer/lane_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "cosim/l1d/counters_report.h"
#include "golden/trace/open/open_trace.h"

namespace verif {

using golden::LaneInstruction, golden::Record, golden::RequestKind;

LaneTrace::LaneTrace(const std::string& trace, const hw::CoalescerParams& p)
    : p_(p), source_(golden::open_trace(trace)), owner_(static_cast<std::size_t>(p.instructions), -1) {
  start_ctas();
  issue();
}

// The records of the kernel's next CTA, by warp.
bool LaneTrace::read_cta() {
  if (!read_.empty()) return true;
  const std::optional<Record> first = ahead_;
  if (!first) return false;
  while (ahead_ && ahead_->cta == first->cta) {
    if (read_.size() <= ahead_->warp) read_.resize(ahead_->warp + std::size_t{1});
    if (!ahead_->is_plain()) read_[ahead_->warp].push_back(*ahead_);
    Record next;
    ahead_ = source_->next(next) ? std::optional(next) : std::nullopt;
  }
  return true;
}

void LaneTrace::start_ctas() {
  if (kernel_over_) {
    golden::KernelInfo kernel;
    do {
      if (!source_->next_kernel(kernel)) {
        done_ = true;
        return;
      }
      Record first;
      if (source_->next(first)) ahead_ = first;
    } while (!ahead_);
    warp_slots_ = std::clamp(static_cast<int>(kernel.warps_per_cta()), 1, most_warps);
    kernel_over_ = false;
  }
  while (std::ssize(ctas_) < most_ctas && read_cta()) {
    std::vector<std::size_t> free;
    for (std::size_t slot = 0; slot < warps_.size(); ++slot)
      if (!warps_[slot].used) free.push_back(slot);
    const std::size_t wanted = std::max(read_.size(), static_cast<std::size_t>(warp_slots_));
    if (wanted > warps_.size())
      throw std::runtime_error(fmt::format("{}: a CTA of {} warps, more than the {} of an SM",
                                           source_->name(), wanted, most_warps));
    if (free.size() < wanted) return;
    Cta cta;
    for (std::size_t w = 0; w < read_.size(); ++w) {
      if (read_[w].empty()) continue;
      Warp& warp = warps_[free[w]];
      warp = {.used = true, .left = std::move(read_[w]), .number = started_++};
      cta.warps.push_back(free[w]);
    }
    read_.clear();
    if (!cta.warps.empty()) ctas_.push_back(cta);
  }
}

void LaneTrace::pass_barriers() {
  for (const Cta& cta : ctas_) {
    const bool all = std::ranges::all_of(cta.warps, [&](std::size_t slot) {
      return warps_[slot].at_barrier || (warps_[slot].left.empty() && warps_[slot].waits_for == 0);
    });
    if (all)
      for (const std::size_t slot : cta.warps) warps_[slot].at_barrier = false;
  }
}

void LaneTrace::retire() {
  std::erase_if(ctas_, [&](const Cta& cta) {
    const bool over = std::ranges::all_of(cta.warps, [&](std::size_t slot) {
      return warps_[slot].left.empty() && warps_[slot].waits_for == 0 && !warps_[slot].at_barrier;
    });
    if (over && parts_.empty() && !offered_)
      for (const std::size_t slot : cta.warps) warps_[slot].used = false;
    return over && parts_.empty() && !offered_;
  });
}

// The lanes of a warp that has more than the core are sent one group after the other.
void LaneTrace::split(std::size_t slot) {
  Warp& warp = warps_[slot];
  const Record record = warp.left.front();
  warp.left.pop_front();
  ++instructions_;
  const int size = std::countr_zero(unsigned{record.bytes_per_lane});
  if (!std::has_single_bit(unsigned{record.bytes_per_lane}) || record.bytes_per_lane > p_.lane_bytes)
    throw std::runtime_error(fmt::format("{}: an access of {} bytes a lane; coalescer.lane_bytes is {}",
                                         source_->name(), record.bytes_per_lane, p_.lane_bytes));
  std::size_t next = 0;
  for (int low = 0; low < 32; low += p_.lanes) {
    LaneInstruction i{.kind = static_cast<RequestKind>(record.kind), .size = size};
    for (int lane = 0; lane < p_.lanes && low + lane < 32; ++lane) {
      if (!(record.mask >> (low + lane) & 1)) continue;
      const auto at = static_cast<std::size_t>(lane);
      i.mask |= std::uint64_t{1} << lane;
      i.address[at] = record.address[next++];
      if (i.address[at] >> (p_.address_bits - 1) >> 1)
        throw std::runtime_error(
            fmt::format("{}: address {:#x} has more than geometry.address_bits = {} bits", source_->name(),
                        i.address[at], p_.address_bits));
      ++stores_;
      for (std::size_t b = 0; b < i.data[at].size(); ++b)
        i.data[at][b] = static_cast<std::uint8_t>(stores_ * 0x9e3779b97f4a7c15 >> 8 * (b % 8));
    }
    if (!i.mask) continue;
    i.sideband = hw::take_sideband(hw::brought_sideband_bits(p_),
                                   {.pc = record.pc, .warp = static_cast<std::uint16_t>(slot)});
    if (i.kind != RequestKind::store) ++warp.waits_for;
    parts_.push_back(i);
  }
  sender_ = slot;
}

// The warp of the instruction before goes on while it can; else the oldest that can.
void LaneTrace::issue() {
  if (offered_) return;
  while (parts_.empty()) {
    std::size_t chosen = sender_;
    if (!ready(warps_[chosen])) {
      chosen = warps_.size();
      for (std::size_t slot = 0; slot < warps_.size(); ++slot)
        if (ready(warps_[slot]) && (chosen == warps_.size() || warps_[slot].number < warps_[chosen].number))
          chosen = slot;
    }
    if (chosen == warps_.size()) return;
    if (warps_[chosen].left.front().is_barrier()) {
      warps_[chosen].left.pop_front();
      warps_[chosen].at_barrier = true;
      pass_barriers();
      return;
    }
    split(chosen);
  }
  offer();
}

void LaneTrace::offer() {
  if (offered_ || parts_.empty()) return;
  const auto free = std::ranges::find(owner_, -1);
  if (free == owner_.end()) return;
  offered_ = parts_.front();
  parts_.pop_front();
  offered_->id = static_cast<std::uint64_t>(free - owner_.begin());
}

void LaneTrace::edge(bool taken, const golden::LaneAnswer* answer, bool flushed, bool drained) {
  if (taken) {
    if (offered_->kind != RequestKind::store) owner_[offered_->id] = static_cast<int>(sender_);
    offered_.reset();
  }
  if (answer) --warps_[static_cast<std::size_t>(std::exchange(owner_[answer->id], -1))].waits_for;
  if (done_) return;
  if (wants_flush_) {
    if (!flushed) return;
    wants_flush_ = false;
    kernel_over_ = true;
  }
  pass_barriers();
  retire();
  start_ctas();
  if (done_) return;
  issue();
  const bool sent = ctas_.empty() && !ahead_ && read_.empty() && parts_.empty() && !offered_;
  if (sent && drained && !taken) wants_flush_ = true;
}

TraceResult lane_trace_result(const LaneTrace& trace, std::int64_t cycles,
                              const golden::L1dCounters& counters, const golden::L1dCounters& before) {
  const golden::L1dCounters c = difference(counters, before);
  const std::uint64_t missed = c.misses + c.partial_misses + c.bypasses;
  const nlohmann::ordered_json json{{"cycles", cycles},
                                    {"instructions", trace.instructions()},
                                    {"miss_rate", percent(missed, c.loads) / 100},
                                    {"counters", to_json(c)}};
  return {fmt::format("{} cycles to finish, {} instructions of lanes, {} loads at the cache, {:.1f} % miss",
                      cycles, trace.instructions(), c.loads, percent(missed, c.loads)),
          json.dump()};
}

}  // namespace verif
