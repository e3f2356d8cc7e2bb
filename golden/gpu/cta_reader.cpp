#include "golden/gpu/cta_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace golden {

static_assert(static_cast<int>(AccessKind::atomic) == static_cast<int>(RequestKind::atomic) &&
              static_cast<int>(AccessKind::non_l1) == static_cast<int>(RequestKind::non_l1));

CtaReader::CtaReader(TraceSource& source, int line_bytes, int chunk_bytes, SpillFile& spill)
    : source_(source), line_bytes_(line_bytes), chunk_bytes_(chunk_bytes), spill_(spill) {}

bool CtaReader::next_kernel() {
  if (!source_.next_kernel(kernel_)) return false;
  seen_.clear();
  has_record_ = source_.next(record_);
  return true;
}

bool CtaReader::next(Cta& cta) {
  if (!has_record_) return false;
  first_time(record_.cta);
  cta.number = record_.cta;
  std::map<std::uint16_t, WarpStream> warps;
  auto warp = warps.end();
  do {
    if (warp == warps.end() || warp->first != record_.warp) warp = warps.try_emplace(record_.warp).first;
    access_.kind = static_cast<RequestKind>(record_.kind);  // numbered alike
    access_.barrier = record_.is_barrier();
    access_.pc = record_.pc;
    coalesce(record_, line_bytes_, chunk_bytes_, access_.lines);
    if (access_.barrier || !access_.lines.empty()) warp->second.put(access_, spill_);
    has_record_ = source_.next(record_);
  } while (has_record_ && record_.cta == cta.number);
  cta.warps.clear();
  for (auto& [number, stream] : warps) cta.warps.push_back(std::move(stream));
  cta.room = std::max(static_cast<int>(cta.warps.size()), static_cast<int>(kernel_.warps_per_cta()));
  return true;
}

void CtaReader::first_time(std::uint32_t number) {
  auto after = seen_.upper_bound(number);
  if (after != seen_.begin()) {
    auto& [first, last] = *std::prev(after);
    if (number <= last)
      throw TraceError(
          fmt::format("{}: the accesses of cta {} are interrupted by another's, must stand together",
                      source_.name(), number));
    if (number == last + 1) {
      last = number;
      if (after != seen_.end() && after->first == number + 1) {
        last = after->second;
        seen_.erase(after);
      }
      return;
    }
  }
  seen_[number] = number;
}

}  // namespace golden
