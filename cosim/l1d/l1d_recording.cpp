#include "cosim/l1d/l1d_recording.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "golden/trace/io/line_source.h"
#include "golden/trace/trace_format.h"

namespace verif {

using golden::LineSource;
using golden::RequestKind;
using golden::Words;

namespace {

constexpr std::uint32_t all_chunks = (1u << L1dRecording::line_bytes / L1dRecording::chunk_bytes) - 1;

// A number of many hex digits, the most significant first, as little-endian words.
template <std::size_t n>
void wide_hex(Words& words, const char* what, std::size_t bits, const LineSource& source,
              std::array<std::uint64_t, n>& out) {
  const std::string_view text = words.word(what);
  if (text.size() > bits / 4)
    source.fail(fmt::format("{} has {} digits, at most {}", what, text.size(), bits / 4));
  out = {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[text.size() - 1 - i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) source.fail(fmt::format("{} is {}, not a hex number", what, golden::shown(text)));
    out[i / 16] |= static_cast<std::uint64_t>(digit) << i % 16 * 4;
  }
}

// The bytes of a mask of chunks.
golden::ByteMask bytes_of(std::uint32_t mask) {
  golden::ByteMask bytes{};
  for (unsigned c = 0; c < 4; ++c)
    if (mask >> c & 1) bytes[c / 2] |= std::uint64_t{0xffffffff} << c % 2 * 32;
  return bytes;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : source_(opened(file)) { recording_.file = source_.name(); }

  L1dRecording read() {
    for (std::string_view line; source_.next(line); ++number_) {
      Words words(source_, line);
      const std::string_view what = words.word("Q, A or R");
      if (what != "Q" && what != "A" && what != "R")
        source_.fail(fmt::format("a line begins with Q, A or R, not with {}", golden::shown(what)));
      words.decimal<std::uint64_t>("the cycle");
      if (what == "Q") request(words);
      if (what == "A") answer(words);
      if (what == "R") recording_.fences.push_back(recording_.requests.size());
      if (!words.empty())
        source_.fail_at(words.rest(), fmt::format("{} is too much", golden::shown(words.rest())));
    }
    for (const auto& [id, at] : open_)
      throw golden::TraceError(fmt::format("{}:{}:{}: request {} is never answered", source_.name(),
                                           recording_.requests[at].line, recording_.requests[at].id_column,
                                           id));
    if (recording_.requests.empty())
      throw golden::TraceError(fmt::format("{}: holds no request", source_.name()));
    return std::move(recording_);
  }

 private:
  static std::unique_ptr<golden::ByteSource> opened(const std::string& file) {
    auto source = std::make_unique<golden::ByteSource>(file);
    golden::expect_format(*source, golden::TraceFormat::recording);
    return source;
  }

  void request(Words& words) {
    L1dRecording::Request r;
    r.line = number_;
    r.id_column = source_.column(words.rest());
    r.id = words.decimal<std::uint32_t>("the id");
    if (!open_.emplace(r.id, recording_.requests.size()).second)
      source_.fail(fmt::format("id {} is not free: its request was not answered yet", r.id));
    const std::string_view kind_word = words.rest();
    const auto kind = words.hex<std::uint32_t>("the kind");
    if (kind > 3) source_.fail(fmt::format("kind {} is not one of 0 to 3", kind));
    r.kind = static_cast<RequestKind>(kind);
    // An atomic's answer would need a field of its own; its effect on memory is not recorded either.
    if (r.kind == RequestKind::atomic) source_.fail("recordings hold no atomics");
    r.address_column = source_.column(words.rest());
    r.address = words.hex<std::uint64_t>("the address");
    r.mask = words.hex<std::uint32_t>("the mask");
    if (r.mask == 0 || r.mask > all_chunks)
      source_.fail(fmt::format("mask {:x} is not one of 1 to {:x}", r.mask, all_chunks));
    if (!words.empty()) {
      const std::string_view bytes = words.rest();
      wide_hex(words, "the byte enable", L1dRecording::line_bytes, source_, r.enables);
      wide_hex(words, "the data", 8 * L1dRecording::line_bytes, source_, r.data);
      if (r.kind == RequestKind::load) source_.fail_at(bytes, "a load has no data");
      const golden::ByteMask allowed = bytes_of(r.mask);
      for (std::size_t w = 0; w < allowed.size(); ++w)
        if (r.enables[w] & ~allowed[w]) source_.fail_at(bytes, "a byte is enabled outside the mask");
    } else if (r.kind == RequestKind::store) {
      source_.fail_at(kind_word, fmt::format("a request of kind {} needs byte enables and data", kind));
    }
    r.answered_with_data =
        r.kind != RequestKind::store && !(r.kind == RequestKind::non_l1 && r.enables != golden::ByteMask{});
    r.answers_before = recording_.answers.size();
    recording_.requests.push_back(r);
  }

  void answer(Words& words) {
    const auto id = words.decimal<std::uint32_t>("the id");
    const auto at = open_.find(id);
    if (at == open_.end()) source_.fail(fmt::format("answers id {}, which has no request", id));
    const auto mask = words.hex<std::uint32_t>("the mask");
    L1dRecording::Request& r = recording_.requests[at->second];
    const std::uint32_t expected = r.answered_with_data ? r.mask : 0;
    if (mask != expected)
      source_.fail(fmt::format("mask {:x} answers a request whose answer has mask {:x}", mask, expected));
    golden::LineData data{};
    if (r.answered_with_data) wide_hex(words, "the data", 8 * L1dRecording::line_bytes, source_, data);
    if (r.answered_with_data) r.data = data;
    recording_.answers.push_back(at->second);
    open_.erase(at);
  }

  LineSource source_;
  std::uint64_t number_ = 1;
  L1dRecording recording_;
  std::map<std::uint32_t, std::size_t> open_;  // requests by id
};

}  // namespace

L1dRecording L1dRecording::read(const std::string& file) { return Reader(file).read(); }

L1dLines L1dRecording::initial() const {
  L1dLines lines(line_bytes);
  std::unordered_map<std::uint64_t, golden::ByteMask> known;
  for (const Request& r : requests) {
    golden::ByteMask& bytes = known[r.address / line_bytes];
    const golden::ByteMask touched = r.answered_with_data ? bytes_of(r.mask) : r.enables;
    golden::ByteMask fresh{};
    for (std::size_t w = 0; w < fresh.size(); ++w) {
      fresh[w] = touched[w] & ~bytes[w];
      bytes[w] |= touched[w];
    }
    if (r.answered_with_data) lines.write(r.address, r.data, fresh);
  }
  return lines;
}

}  // namespace verif
