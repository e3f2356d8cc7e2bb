#include "golden/trace/request_list.h"

#include <fmt/format.h>

namespace golden {

namespace {

constexpr std::string_view letters = "LSAN";  // in the order of RequestKind

}  // namespace

RequestList::RequestList(const std::string& path, const Limits& limits)
    : RequestList(std::make_unique<ByteSource>(path), limits) {}

RequestList::RequestList(std::unique_ptr<ByteSource> source, const Limits& limits)
    : lines_(std::move(source)), limits_(limits) {}

RequestKind RequestList::kind(std::string_view word) const {
  const std::size_t at = word.size() == 1 ? letters.find(word[0]) : letters.npos;
  if (at == letters.npos)
    lines_.fail(
        fmt::format("kind is {}, must be L (load), S (store), A (atomic) or N (non-L1)", shown(word)));
  return static_cast<RequestKind>(at);
}

bool RequestList::next(Item& out) {
  std::string_view line;
  if (!lines_.next_filled(line)) return false;
  Words words(lines_, line);
  out = {};
  if (limits_.cores > 0) {
    out.core = words.decimal<std::uint32_t>("core");
    if (out.core >= limits_.cores)
      lines_.fail(fmt::format("core is {}, must be below {}", out.core, limits_.cores));
  }
  out.request.kind = kind(words.word("kind"));
  out.request.address = words.hex<std::uint64_t>("address");
  out.request.mask = words.hex<std::uint32_t>("mask");
  if (!words.empty()) out.warp = words.decimal<std::uint32_t>("warp");
  if (!words.empty()) out.pc = words.decimal<std::uint32_t>("pc");
  if (!words.empty()) lines_.fail(fmt::format("{} follows the end of the request", shown(words.rest())));
  const auto& [kind, address, mask] = out.request;
  if (limits_.address_bits < 64 && address >> limits_.address_bits != 0)
    lines_.fail(fmt::format("address is 0x{:x}, must have at most {} bits", address, limits_.address_bits));
  if (address % static_cast<std::uint64_t>(limits_.line_bytes) != 0)
    lines_.fail(fmt::format("address is 0x{:x}, must be the start of a line of {} bytes", address,
                            limits_.line_bytes));
  const int chunks = limits_.line_bytes / limits_.chunk_bytes;
  if (mask == 0 || (chunks < 32 && mask >> chunks != 0))
    lines_.fail(fmt::format("mask is {:x}, must name at least one of the {} chunks of a line, and no other",
                            mask, chunks));
  return true;
}

std::string text(const RequestList::Item& r, bool with_core) {
  return fmt::format("{}{} {:x} {:x} {} {}\n", with_core ? fmt::format("{} ", r.core) : "",
                     letters[static_cast<std::size_t>(r.request.kind)], r.request.address, r.request.mask,
                     r.warp, r.pc);
}

}  // namespace golden
