#include "golden/trace/cta_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace golden {

static_assert(static_cast<int>(AccessKind::atomic) == static_cast<int>(RequestKind::atomic) &&
              static_cast<int>(AccessKind::non_l1) == static_cast<int>(RequestKind::non_l1));

CtaReader::CtaReader(TraceSource& source, int line_bytes, int chunk_bytes, int address_bits, SpillFile& spill)
    : source_(source),
      line_bytes_(line_bytes),
      chunk_bytes_(chunk_bytes),
      address_bits_(address_bits),
      spill_(spill) {}

bool CtaReader::next_kernel() {
  if (!source_.next_kernel(kernel_)) return false;
  has_record_ = source_.next(record_);
  return true;
}

bool CtaReader::next(Cta& cta) {
  if (!has_record_) return false;
  cta.number = record_.cta;
  std::map<std::uint16_t, WarpStream> warps;
  auto warp = warps.end();
  do {
    if (warp == warps.end() || warp->first != record_.warp) warp = warps.try_emplace(record_.warp).first;
    access_.kind = static_cast<RequestKind>(record_.kind);  // numbered alike
    access_.barrier = record_.is_barrier();
    access_.plain = record_.is_plain();
    access_.has_registers = registers_;
    access_.before = record_.before;
    access_.operation = record_.operation;
    access_.registers = record_.registers;
    access_.pc = record_.pc;
    access_.lanes = static_cast<std::uint8_t>(record_.lanes());
    coalesce(record_, line_bytes_, chunk_bytes_, access_.lines);
    check_addresses();
    if (access_.barrier || access_.plain || !access_.lines.empty()) warp->second.put(access_, spill_);
    has_record_ = source_.next(record_);
  } while (has_record_ && record_.cta == cta.number);
  cta.warps.clear();
  for (auto& [number, stream] : warps) cta.warps.push_back(std::move(stream));
  cta.warp_slots = std::max(static_cast<int>(cta.warps.size()), static_cast<int>(kernel_.warps_per_cta()));
  return true;
}

void CtaReader::check_addresses() const {
  std::uint64_t used = 0;
  for (const LineAccess& access : access_.lines) used |= access.line;
  if (std::bit_width(used) > static_cast<unsigned>(address_bits_))
    throw TraceError(
        fmt::format("{}: cta {} accesses address {:x}, which has more than the cache's {} bits; set "
                    "geometry.address_bits",
                    source_.name(), record_.cta, std::ranges::max(access_.lines, {}, &LineAccess::line).line,
                    address_bits_));
}

}  // namespace golden
