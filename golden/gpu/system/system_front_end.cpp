#include "golden/gpu/system/system_front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "golden/gpu/system/occupancy.h"

namespace golden {

SystemFrontEnd::SystemFrontEnd(TraceSource& source, const SystemParams& p, const CacheSide& caches,
                               std::size_t spool_bytes)
    : p_(p),
      source_(source),
      spill_(spool_bytes),
      reader_(source, caches.line_bytes, caches.chunk_bytes, caches.address_bits, spill_),
      assignment_(p.sms) {
  if (source.list_instructions()) reader_.keep_registers();
  for (int i = 0; i < p.sms; ++i) sms_.emplace_back(p, caches.limit, caches.id_bits);
  next_kernel();
  if (!ended_) deal();
}

bool SystemFrontEnd::idle() const {
  return std::ranges::all_of(sms_, [](const SystemSm& sm) { return sm.idle(); });
}

bool SystemFrontEnd::flushes_asked() const {
  return std::ranges::any_of(sms_, [](const SystemSm& sm) { return sm.wants_flush(); });
}

void SystemFrontEnd::next_kernel() {
  while (!has_pending_) {
    if (!reader_.next_kernel()) {
      ended_ = true;
      return;
    }
    has_pending_ = reader_.next(pending_);
  }
  if (started_)
    for (SystemSm& sm : sms_) sm.want_flush();
  kernel_ended_ = flushing_ = started_;
  started_ = first_cta_ = true;
  launch_left_ = p_.launch_latency;
}

// How many CTAs such as this one an SM holds.
int SystemFrontEnd::most_here(const Cta& cta) const {
  const int most = ctas_per_sm(p_, reader_.kernel(), cta.warp_slots);
  if (most < 1)
    throw TraceError(fmt::format(
        "{}: cta {} of {} warps does not fit into an SM of the system; raise the key that limits it "
        "(system.warps, threads, registers, shared_bytes)",
        source_.name(), cta.number, cta.warp_slots));
  return most;
}

void SystemFrontEnd::deal_in_turn() {
  while (has_pending_) {
    const int most = most_here(pending_);
    const int to = assignment_.pick([&](int i) { return sm(i).fits(pending_, most); });
    if (to < 0) return;
    sm(to).start(std::move(pending_));
    kernel_started_ |= std::exchange(first_cta_, false);
    has_pending_ = reader_.next(pending_);
  }
}

// Sorts the CTAs of the kernel by core, a run of neighbours each.
void SystemFrontEnd::read_runs() {
  runs_.resize(static_cast<std::size_t>(p_.sms));
  const std::uint64_t run = (reader_.kernel().ctas() + runs_.size() - 1) / runs_.size();
  for (; has_pending_; has_pending_ = reader_.next(pending_))
    runs_[std::min<std::uint64_t>(pending_.number / run, runs_.size() - 1)].push_back(std::move(pending_));
}

void SystemFrontEnd::deal_runs() {
  if (has_pending_) read_runs();
  for (int i = 0; i < p_.sms; ++i)
    for (auto& run = runs_[static_cast<std::size_t>(i)]; !run.empty(); run.pop_front()) {
      if (!sm(i).fits(run.front(), most_here(run.front()))) break;
      sm(i).start(std::move(run.front()));
      kernel_started_ |= std::exchange(first_cta_, false);
    }
}

void SystemFrontEnd::deal() {
  if (launch_left_ > 0) {
    --launch_left_;
    return;
  }
  sorts() ? deal_runs() : deal_in_turn();
}

bool SystemFrontEnd::waiting() const {
  return has_pending_ || std::ranges::any_of(runs_, [](const auto& run) { return !run.empty(); });
}

void SystemFrontEnd::tick() {
  kernel_started_ = kernel_ended_ = false;
  if (ended_) return;
  const bool more = waiting();
  if (!more && idle()) next_kernel();
  if (flushing_) flushing_ = flushes_asked();
  if (!ended_ && !flushing_ && (more || has_pending_)) deal();
}

}  // namespace golden
