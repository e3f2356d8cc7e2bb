#include "golden/trace/warp_stream.h"

#include <algorithm>

namespace golden {

namespace {

// An instruction begins with its kind, and what follows beside the rest.
constexpr std::uint8_t kind_bits = 0x0F, barrier_code = 0x0F, plain_code = 0x0E;
constexpr std::uint8_t before_bit = 0x10, registers_bit = 0x20;
// The longest access: 32 lanes of 16 bytes touch at most 64 lines (or 128 chunks of 4 bytes, as a summary may
// ask), each a line number and a mask.
constexpr size_t longest_access = 9 + 10 + 6 + 128 * (10 + 5);
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

Request request_of(const WarpAccess& access, std::size_t n, int slot) {
  const auto& [line, mask] = access.lines[n];
  return {.kind = access.kind,
          .mask = mask,
          .address = line,
          .sideband = {.pc = access.pc,
                       .warp = static_cast<std::uint16_t>(slot),
                       .degree = static_cast<std::uint8_t>(std::min<std::size_t>(access.lines.size(), 63)),
                       .first = n == 0}};
}

void WarpStream::put(const WarpAccess& access, SpillFile& spill) {
  spill_ = &spill;
  if (bytes_.size() + longest_access > SpillFile::piece_bytes) {
    pieces_.push_back(spill.keep(bytes_));
    bytes_.clear();
  }
  const std::uint8_t kind = access.barrier ? barrier_code
                            : access.plain ? plain_code
                                           : static_cast<std::uint8_t>(access.kind);
  const int more = (access.before ? before_bit : 0) | (access.has_registers ? registers_bit : 0);
  bytes_.push_back(static_cast<std::uint8_t>(kind | more));
  if (access.before) put_number(bytes_, access.before);
  if (access.has_registers) {
    bytes_.push_back(static_cast<std::uint8_t>(access.operation));
    bytes_.push_back(access.registers.destination);
    bytes_.insert(bytes_.end(), access.registers.sources.begin(), access.registers.sources.end());
  }
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
  const std::uint8_t first = bytes_[at_++], code = first & kind_bits;
  access.barrier = code == barrier_code;
  access.plain = code == plain_code;
  access.kind = access.barrier || access.plain ? RequestKind::load : static_cast<RequestKind>(code);
  access.before = first & before_bit ? static_cast<std::uint32_t>(take_number(bytes_, at_)) : 0;
  access.has_registers = (first & registers_bit) != 0;
  if (access.has_registers) {
    access.operation = static_cast<Operation>(bytes_[at_++]);
    access.registers.destination = bytes_[at_++];
    for (std::uint8_t& source : access.registers.sources) source = bytes_[at_++];
  }
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
