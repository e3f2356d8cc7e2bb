#include "cosim/bus/bus_core.h"

#include <fmt/format.h>

#include <stdexcept>

namespace verif {

using golden::BusAnswer, golden::BusRequest, golden::ByteMask, golden::LineData;

namespace {

bool has_byte(const ByteMask& mask, int byte) {
  return mask[static_cast<std::size_t>(byte / 64)] >> byte % 64 & 1;
}
void add_byte(ByteMask& mask, int byte) {
  mask[static_cast<std::size_t>(byte / 64)] |= std::uint64_t{1} << byte % 64;
}
unsigned value_at(const LineData& data, int byte) {
  return data[static_cast<std::size_t>(byte / 8)] >> byte % 8 * 8 & 0xff;
}

// The word's offset in its line, in bytes.
int first_byte(const hw::VortexAdapterParams& p, const BusRequest& r) {
  return static_cast<int>(r.address % static_cast<unsigned>(hw::words_of_line(p))) * hw::word_bytes(p);
}
std::uint64_t byte_address(const hw::VortexAdapterParams& p, const BusRequest& r) {
  return r.address * static_cast<unsigned>(hw::word_bytes(p));
}

// The first byte that the core enabled and that is not as it should be.
std::string differs(const hw::VortexAdapterParams& p, const BusRequest& r, const BusAnswer& got,
                    const LineData& want) {
  for (int b = 0; b < hw::word_bytes(p); ++b)
    if (has_byte(r.byte_enable, b) && value_at(got.data, b) != value_at(want, first_byte(p, r) + b))
      return fmt::format("byte {} of the load of word {:#x} is {:#x}, not {:#x}", b, r.address,
                         value_at(got.data, b), value_at(want, first_byte(p, r) + b));
  return "";
}

}  // namespace

// More lines than the cache holds in few sets; those of devices lie elsewhere.
BusRequest RandomBusCore::drawn() {
  BusRequest r{.rw = below(3) == 0, .flush = below(400) == 0, .io = below(16) == 0};
  if (r.flush) r.rw = below(4) == 0;
  const auto words = static_cast<unsigned>(hw::words_of_line(p_));
  const std::uint64_t line = first_line_ + (below(4) ? below(24) : below(400));
  r.address = line * words + below(words);
  if (r.io)
    r.address = (std::uint64_t{1} << (p_.address_bits - 1)) / static_cast<unsigned>(hw::word_bytes(p_)) +
                (first_line_ + below(4)) * words;
  const std::uint64_t shape = below(4);
  const auto word = static_cast<unsigned>(hw::word_bytes(p_));
  const int from = static_cast<int>(below(word)), to = shape == 0 ? from + 1 : static_cast<int>(word);
  for (int b = shape < 2 ? from : 0; b < to; ++b)
    if (shape != 2 || below(2)) add_byte(r.byte_enable, b);
  for (unsigned w = 0; w < word / 8; ++w) r.data[w] = draw_();
  return r;
}

const BusRequest* RandomBusCore::offered() {
  if (offered_) return &*offered_;
  if (left_ == 0) return nullptr;
  if (idle_ > 0) return --idle_, nullptr;
  if (below(64) == 0) idle_ = static_cast<int>(below(300));
  BusRequest r = drawn();
  do r.tag = below(std::uint64_t{1} << std::min(p_.tag_bits, 10));
  while (open_.contains(r.tag) && open_.size() < (std::size_t{1} << p_.tag_bits) - 1);
  if (open_.contains(r.tag)) return nullptr;
  --left_;
  offered_ = r;
  return &*offered_;
}

void RandomBusCore::taken() {
  const BusRequest r = *offered_;
  offered_.reset();
  const std::uint64_t address = byte_address(p_, r);
  if (!r.rw) {
    open_[r.tag] = {r, bytes_.at(address)};
    return;
  }
  if (r.flush) return;
  LineData data{};
  ByteMask enables{};
  const int first = first_byte(p_, r);
  for (int b = 0; b < hw::word_bytes(p_); ++b) {
    if (has_byte(r.byte_enable, b)) add_byte(enables, first + b);
    data[static_cast<std::size_t>((first + b) / 8)] = r.data[static_cast<std::size_t>(b / 8)];
  }
  bytes_.write(address, data, enables);
}

std::string RandomBusCore::answered(const BusAnswer& answer) {
  const auto found = open_.find(answer.tag);
  if (found == open_.end()) return fmt::format("an answer with tag {:#x}, which no load has", answer.tag);
  const Load load = found->second;
  open_.erase(found);
  return load.request.flush ? "" : differs(p_, load.request, answer, load.line);
}

void RandomBusCore::fenced(L1dLines& memory) {
  for (int n = 0; n < 8; ++n) {
    const std::uint64_t address = (first_line_ + below(24)) * static_cast<unsigned>(p_.line_bytes);
    LineData data{};
    for (auto& w : data) w = draw_();
    const ByteMask all{~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0}};
    memory.write(address, data, all);
    bytes_.write(address, data, all);
  }
}

RecordedBusCore::RecordedBusCore(const hw::VortexAdapterParams& p, const L1dRecording& recording)
    : p_(p), recording_(recording), has_answer_(recording.requests.size()) {
  if (p.line_bytes != L1dRecording::line_bytes)
    throw std::runtime_error(
        fmt::format("{}: is of lines of {} bytes", recording.file, L1dRecording::line_bytes));
  for (const auto& r : recording.requests) request(r);
}

BusRequest RecordedBusCore::request(const L1dRecording::Request& r) const {
  const int word = hw::word_bytes(p_);
  ByteMask bytes = r.enables;
  const bool stores = r.enables != ByteMask{} || r.kind == golden::RequestKind::store;
  for (int b = 0; !stores && b < L1dRecording::line_bytes; ++b)
    if (r.mask >> b / L1dRecording::chunk_bytes & 1) add_byte(bytes, b);
  const int place = std::countr_zero(r.mask) * L1dRecording::chunk_bytes / word;
  BusRequest q{
      .rw = stores,
      .io = r.kind == golden::RequestKind::non_l1,
      .address = (r.address / L1dRecording::line_bytes) * static_cast<unsigned>(hw::words_of_line(p_)) +
                 static_cast<unsigned>(place),
      .tag = r.id};
  for (int b = 0; b < L1dRecording::line_bytes; ++b) {
    if (!has_byte(bytes, b)) continue;
    if (b / word != place || r.id >= fence_tag)
      throw std::runtime_error(
          fmt::format("{}:{}: is wider than a word of the bus", recording_.file, r.line));
    add_byte(q.byte_enable, b % word);
  }
  for (int w = 0; w < word / 8; ++w)
    q.data[static_cast<std::size_t>(w)] = r.data[static_cast<std::size_t>(place * word / 8 + w)];
  return q;
}

bool RecordedBusCore::fence_next() const {
  return fence_ < recording_.fences.size() && recording_.fences[fence_] == next_;
}

bool RecordedBusCore::done() const {
  return next_ == recording_.requests.size() && fence_ == recording_.fences.size() && open_ == 0 &&
         !fence_open_;
}

const BusRequest* RecordedBusCore::offered() {
  if (offered_) return &*offered_;
  if (fence_open_) return nullptr;
  if (fence_next()) {
    offered_ = BusRequest{.flush = true, .tag = fence_tag};
    return &*offered_;
  }
  const auto& requests = recording_.requests;
  if (next_ == requests.size()) return nullptr;
  // Stores are done when they are taken.
  const auto& answers = recording_.answers;
  while (answers_in_order_ < answers.size() && has_answer_[answers[answers_in_order_]]) ++answers_in_order_;
  if (requests[next_].answers_before > answers_in_order_) return nullptr;
  offered_ = request(requests[next_]);
  return &*offered_;
}

void RecordedBusCore::taken() {
  const BusRequest r = *offered_;
  offered_.reset();
  if (r.flush) {
    fence_open_ = true;
    return;
  }
  if (r.rw)
    has_answer_[next_] = 1;
  else
    request_of_[r.tag] = next_, ++open_;
  ++next_;
}

std::string RecordedBusCore::answered(const BusAnswer& answer) {
  if (answer.tag == fence_tag) {
    if (!fence_open_) return "an answer to no fence";
    fence_open_ = false;
    ++fence_;
    return "";
  }
  const auto found = request_of_.find(answer.tag);
  if (found == request_of_.end()) return fmt::format("an answer with tag {}, which no load has", answer.tag);
  const auto& r = recording_.requests[found->second];
  has_answer_[found->second] = 1;
  request_of_.erase(found);
  --open_;
  return differs(p_, request(r), answer, r.data);
}

}  // namespace verif
