#include "golden/trace/rec_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace golden {

namespace {

static_assert(std::endian::native == std::endian::little, "records are little-endian and copied as they are");

constexpr size_t header_bytes = 17;
constexpr size_t buffer_bytes = 64 << 10;

template <class Value>
Value take(const std::uint8_t* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

size_t record_bytes(const std::uint8_t* header) {
  return header_bytes + 4 * static_cast<size_t>(std::popcount(take<std::uint32_t>(header + 12)));
}

// The first rule that a record breaks, or "".
std::string broken_rule(const Record& r) {
  if (r.kind > AccessKind::non_l1)
    return fmt::format("is_store is {}, must be 0 (load), 1 (store), 2 (atomic) or 3 (load past the L1)",
                       static_cast<int>(r.kind));
  if (r.space != Record::global_space && r.space != Record::barrier_space)
    return fmt::format("space is {}, must be 0 (global) or 255 (barrier)", r.space);
  if (r.is_barrier())
    return r.mask ? fmt::format("active_mask of a barrier is 0x{:x}, must be 0", r.mask) : "";
  if (r.mask == 0) return "active_mask is 0, must have a lane in every record but a barrier";
  if (r.bytes_per_lane > 16 || !std::has_single_bit(r.bytes_per_lane))
    return fmt::format("bytes_per_lane is {}, must be 1, 2, 4, 8 or 16", r.bytes_per_lane);
  return "";
}

}  // namespace

RecTrace::RecTrace(const std::string& path) : RecTrace(std::make_unique<ByteSource>(path)) {}

RecTrace::RecTrace(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), side_(read_side_file(source_->path())), buffer_(buffer_bytes) {
  if (!refill()) fail("the trace is empty, must hold at least one record");
}

void RecTrace::fail(const std::string& reason) const {
  throw TraceError(fmt::format("{}: byte {}: {}", name(), source_->offset() - (last_ - first_), reason));
}

bool RecTrace::whole_record() const {
  const size_t size = last_ - first_;
  return size >= header_bytes && size >= record_bytes(buffer_.data() + first_);
}

// Adds at least one byte to the unread ones; false when the source is at its end.
bool RecTrace::refill() {
  std::copy(buffer_.begin() + first_, buffer_.begin() + last_, buffer_.begin());
  last_ -= first_;
  first_ = 0;
  const size_t got = source_->read(std::span(buffer_).subspan(last_));
  last_ += got;
  return got > 0;
}

void RecTrace::decode(const std::uint8_t* bytes, Record& record) {
  record.cta = take<std::uint32_t>(bytes);
  record.warp = take<std::uint16_t>(bytes + 4);
  record.pc = take<std::uint32_t>(bytes + 6);
  record.kind = static_cast<AccessKind>(bytes[10]);
  record.space = bytes[11];
  record.mask = take<std::uint32_t>(bytes + 12);
  record.bytes_per_lane = bytes[16];
  if (const std::string rule = broken_rule(record); !rule.empty()) fail(rule);
  if (!find_launch(record.cta))
    fail(fmt::format("cta is {}, but no launch of the side file has it", record.cta));
  const int warps = warps_per_cta(side_.block_of(side_.launches[launch_]));
  if (warps != 0 && record.warp >= warps)
    fail(fmt::format("warp is {}, but the side file's block has {} warps", record.warp, warps));
}

bool RecTrace::next(Record& record) {
  while (!whole_record()) {
    if (refill()) continue;
    if (first_ == last_) {
      check_count();
      return false;
    }
    break;
  }
  const std::uint8_t* bytes = buffer_.data() + first_;
  const size_t size = last_ - first_;
  if (size < header_bytes)
    fail(fmt::format("truncated record: {} of its {} header bytes are there", size, header_bytes));
  decode(bytes, record);
  const size_t whole = record_bytes(bytes);
  if (size < whole) fail(fmt::format("truncated record: {} of its {} bytes are there", size, whole));
  for (size_t at = header_bytes; at < whole; at += 4)
    record.address[(at - header_bytes) / 4] = take<std::uint32_t>(bytes + at);
  first_ += whole;
  ++records_;
  return true;
}

// A side file that states other counts belongs to another trace, or the trace was cut between two records.
void RecTrace::check_count() const {
  std::uint64_t stated = 0;
  for (const Launch& launch : side_.launches) {
    if (launch.records == 0) return;
    stated += launch.records;
  }
  if (stated != records_)
    fail(fmt::format("the trace ends after {} records, but its side file states {}", records_, stated));
}

// Points launch_ at the launch that has this CTA; false when none has.
bool RecTrace::find_launch(std::uint32_t cta) {
  const auto holds = [cta](const Launch& one) { return cta >= one.cta_base && cta < one.cta_end; };
  const auto& all = side_.launches;
  if (holds(all[launch_])) return true;
  const auto after =
      std::upper_bound(all.begin(), all.end(), cta,
                       [](std::uint32_t number, const Launch& one) { return number < one.cta_base; });
  if (after == all.begin() || !holds(*(after - 1))) return false;
  launch_ = static_cast<size_t>(after - all.begin()) - 1;
  return true;
}

size_t RecTrace::launch_of(std::uint32_t cta) {
  if (!find_launch(cta))
    throw TraceError(fmt::format("{}: no launch of the side file has cta {}", name(), cta));
  return launch_;
}

}  // namespace golden
