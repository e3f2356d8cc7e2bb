#include "golden/gpu/front_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace golden {

FrontEnd::FrontEnd(TraceSource& source, const GpuParams& params)
    : p_(params),
      source_(source),
      spill_(params.spool_bytes),
      reader_(source, params.line_bytes, params.chunk_bytes, params.address_bits, spill_),
      assignment_(params.sms) {
  for (int i = 0; i < params.sms; ++i) sms_.emplace_back(params);
  next_kernel();
  if (!ended_) deal();
}

bool FrontEnd::idle() const {
  return std::ranges::all_of(sms_, [](const Sm& sm) { return sm.idle(); });
}

bool FrontEnd::flushes_asked() const {
  return std::ranges::any_of(sms_, [](const Sm& sm) { return sm.wants_flush(); });
}

// Goes to the next kernel that has a CTA; the caches are flushed before it.
void FrontEnd::next_kernel() {
  while (!has_pending_) {
    if (!reader_.next_kernel()) {
      ended_ = true;
      for (Sm& sm : sms_) sm.no_more_ctas();
      return;
    }
    has_pending_ = reader_.next(pending_);
  }
  if (started_)
    for (Sm& sm : sms_) sm.want_flush();
  started_ = first_cta_ = true;
}

void FrontEnd::deal() {
  while (has_pending_) {
    if (pending_.warp_slots > p_.warps_per_sm)
      throw TraceError(fmt::format("{}: cta {} has {} warps, an SM holds {}", source_.name(), pending_.number,
                                   pending_.warp_slots, p_.warps_per_sm));
    const int to = assignment_.pick([this](int i) { return sm(i).fits(pending_); });
    if (to < 0) return;
    sm(to).start(std::move(pending_));
    kernel_started_ |= std::exchange(first_cta_, false);
    has_pending_ = reader_.next(pending_);
  }
}

void FrontEnd::tick() {
  kernel_started_ = false;
  for (Sm& sm : sms_) sm.tick();
  if (ended_) return;
  if (!has_pending_ && idle()) next_kernel();
  if (!flushes_asked()) deal();
}

}  // namespace golden
