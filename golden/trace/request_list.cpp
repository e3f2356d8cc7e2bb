#include "golden/trace/request_list.h"

#include <fmt/format.h>

#include "golden/trace/trace_format.h"

namespace golden {

namespace {

constexpr std::string_view letters = "LSAN";  // in the order of RequestKind
constexpr std::string_view flush_word = "F";
constexpr std::uint32_t most_requests = 63;  // of a load

std::unique_ptr<ByteSource> of_requests(std::unique_ptr<ByteSource> source, bool with_cores) {
  expect_requests(*source, with_cores);
  return source;
}

bool is_mark(std::string_view word) { return word == "!" || word.starts_with('d'); }

}  // namespace

RequestList::RequestList(const std::string& path, const Limits& limits)
    : RequestList(std::make_unique<ByteSource>(path), limits) {}

RequestList::RequestList(std::unique_ptr<ByteSource> source, const Limits& limits)
    : lines_(of_requests(std::move(source), limits.cores > 0)), limits_(limits) {}

RequestKind RequestList::kind(std::string_view word) const {
  const std::size_t at = word.size() == 1 ? letters.find(word[0]) : letters.npos;
  if (at == letters.npos)
    lines_.fail(
        fmt::format("kind is {}, must be L (load), S (store), A (atomic) or N (non-L1)", shown(word)));
  return static_cast<RequestKind>(at);
}

bool RequestList::next(Item& out) {
  std::string_view line;
  if (!lines_.next_filled(line)) {
    check_end();
    return false;
  }
  empty_ = false;
  Words words(lines_, line);
  out = {};
  if (limits_.cores > 0) {
    if (words.snoop() == flush_word) return read_flush(words, out);
    out.core = words.decimal<std::uint32_t>("core");
    if (out.core >= limits_.cores)
      lines_.fail(fmt::format("core is {}, must be below {}", out.core, limits_.cores));
  }
  out.request.kind = kind(words.word("kind"));
  out.request.address = words.hex<std::uint64_t>("address");
  check_address(out.request.address);
  out.request.mask = words.hex<std::uint32_t>("mask");
  check_mask(out.request.mask);
  if (!words.empty() && !is_mark(words.snoop())) {
    out.warp = words.decimal<std::uint32_t>("warp");
    out.request.sideband.warp = static_cast<std::uint16_t>(out.warp);
  }
  if (!words.empty() && !is_mark(words.snoop())) out.request.sideband.pc = words.decimal<std::uint32_t>("pc");
  read_marks(words, out);
  return true;
}

void RequestList::check_end() const {
  if (empty_) throw TraceError(fmt::format("{}: holds no request", name()));
  for (const auto& [core, load] : open_)
    if (load.left > 0)
      lines_.fail(fmt::format("the list ends, but {} of the {} requests of a load have not come", load.left,
                              load.degree));
}

bool RequestList::read_flush(Words& words, Item& out) {
  words.word("flush");
  if (!words.empty()) lines_.fail_at(words.rest(), fmt::format("{} follows a flush", shown(words.rest())));
  return out.flush = true;
}

void RequestList::read_marks(Words& words, Item& out) {
  bool opens = false;
  while (!words.empty()) {
    if (!is_mark(words.snoop()))
      lines_.fail_at(words.rest(), fmt::format("{} follows the end of the request", shown(words.rest())));
    const std::string_view mark = words.word("mark");
    bool& given = mark == "!" ? out.request.stalls : opens;
    if (given) lines_.fail(fmt::format("{} is the second mark of its kind", shown(mark)));
    given = true;
    if (mark != "!") open_load(mark, out);
  }
  OpenLoad& load = open_[out.core];
  if (opens || out.request.kind != RequestKind::load || load.left == 0) return;
  --load.left;
  out.request.sideband.degree = load.degree;
  out.request.sideband.first = false;
}

void RequestList::open_load(std::string_view mark, Item& out) {
  const auto degree = Words(lines_, mark.substr(1)).decimal<std::uint32_t>("degree");
  if (degree < 1 || degree > most_requests)
    lines_.fail(fmt::format("degree is {}, must be 1 to {}", degree, most_requests));
  if (out.request.kind != RequestKind::load)
    lines_.fail(fmt::format("{} opens a load, the request is none", shown(mark)));
  OpenLoad& load = open_[out.core];
  if (load.left > 0)
    lines_.fail(fmt::format("{} opens a load, but {} of the {} requests of the one before have not come",
                            shown(mark), load.left, load.degree));
  load = {static_cast<std::uint8_t>(degree), degree - 1};
  out.request.sideband.degree = load.degree;
}

void RequestList::check_address(std::uint64_t address) const {
  if (limits_.address_bits < 64 && address >> limits_.address_bits != 0)
    lines_.fail(fmt::format("address is 0x{:x}, must have at most {} bits", address, limits_.address_bits));
  if (address % static_cast<std::uint64_t>(limits_.line_bytes) != 0)
    lines_.fail(fmt::format("address is 0x{:x}, must be the start of a line of {} bytes", address,
                            limits_.line_bytes));
}

void RequestList::check_mask(std::uint32_t mask) const {
  const int chunks = limits_.line_bytes / limits_.chunk_bytes;
  if (mask == 0 || (chunks < 32 && mask >> chunks != 0))
    lines_.fail(fmt::format("mask is {:x}, must name at least one of the {} chunks of a line, and no other",
                            mask, chunks));
}

std::string text(const RequestList::Item& r, bool with_core) {
  if (r.flush) return fmt::format("{}\n", flush_word);
  const bool opens = r.request.sideband.first && r.request.sideband.degree > 1;
  return fmt::format("{}{} {:x} {:x} {} {}{}{}\n", with_core ? fmt::format("{} ", r.core) : "",
                     letters[static_cast<std::size_t>(r.request.kind)], r.request.address, r.request.mask,
                     r.warp, r.request.sideband.pc,
                     opens ? fmt::format(" d{}", r.request.sideband.degree) : "",
                     r.request.stalls ? " !" : "");
}

}  // namespace golden
