#include "golden/gpu/warp_stream.h"

namespace golden {

namespace {

constexpr std::uint8_t barrier_code = 0xFF;
// The longest access: 32 lanes of 16 bytes touch at most 64 lines (or 128 chunks of 4 bytes, as a summary may
// ask), each a line number and a mask.
constexpr size_t longest_access = 9 + 128 * (10 + 5);
static_assert(longest_access <= SpillFile::piece_bytes);

void put_number(std::vector<std::uint8_t>& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<std::uint8_t>(value | 0x80));
  out.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t take_number(const std::vector<std::uint8_t>& in, size_t& at) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint8_t byte = in[at++];
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

// Small differences of either sign become small numbers.
std::uint64_t folded(std::uint64_t difference) { return (difference << 1) ^ (0 - (difference >> 63)); }
std::uint64_t unfolded(std::uint64_t number) { return (number >> 1) ^ (0 - (number & 1)); }

}  // namespace

void WarpStream::put(const WarpAccess& access, SpillFile& spill) {
  spill_ = &spill;
  if (bytes_.size() + longest_access > SpillFile::piece_bytes) {
    pieces_.push_back(spill.keep(bytes_));
    bytes_.clear();
  }
  bytes_.push_back(access.barrier ? barrier_code : static_cast<std::uint8_t>(access.kind));
  put_number(bytes_, access.pc);
  bytes_.push_back(access.lanes);
  put_number(bytes_, access.lines.size());
  for (const auto& [line, mask] : access.lines) {
    put_number(bytes_, folded(line - line_));
    put_number(bytes_, mask);
    line_ = line;
  }
}

bool WarpStream::take(WarpAccess& access) {
  if (!reading_) {
    reading_ = true;
    line_ = 0;
    if (!pieces_.empty()) pieces_.push_back(spill_->keep(bytes_)), bytes_.clear();
  }
  if (at_ == bytes_.size()) {
    if (pieces_.empty()) return false;
    spill_->take(pieces_.front(), bytes_);
    pieces_.pop_front();
    at_ = 0;
  }
  const std::uint8_t code = bytes_[at_++];
  access.barrier = code == barrier_code;
  access.kind = access.barrier ? RequestKind::load : static_cast<RequestKind>(code);
  access.pc = static_cast<std::uint32_t>(take_number(bytes_, at_));
  access.lanes = bytes_[at_++];
  access.lines.resize(take_number(bytes_, at_));
  for (auto& [line, mask] : access.lines) {
    line_ += unfolded(take_number(bytes_, at_));
    line = line_;
    mask = static_cast<std::uint32_t>(take_number(bytes_, at_));
  }
  return true;
}

}  // namespace golden
