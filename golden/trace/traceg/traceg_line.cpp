#include "golden/trace/traceg/traceg_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <span>

namespace golden {

namespace {

using Immediate = TracegDialect::Immediate;

class Parser {
 public:
  Parser(const LineSource& source, std::string_view text, TracegDialect& dialect, TracegLine& line)
      : source_(source), words_(source, text), dialect_(dialect), line_(line) {}

  void run() {
    if (dialect_.version < 3)
      for (const char* what : {"block x", "block y", "block z", "warp"}) words_.decimal<std::uint64_t>(what);
    if (dialect_.line_numbers) words_.decimal<std::uint64_t>("source line");
    line_.pc = words_.hex<std::uint32_t>("PC");
    mask_ = words_.snoop();
    line_.mask = words_.hex<std::uint32_t>("mask");
    line_.registers = {};
    registers("destination register", std::span(&line_.registers.destination, 1));
    line_.opcode = words_.word("opcode");
    registers("source register", line_.registers.sources);
    line_.has_addresses = words_.decimal<std::uint32_t>("width") > 0;
    line_.has_addresses ? addresses() : no_addresses();
    if (!words_.empty())
      source_.fail_at(words_.rest(),
                      fmt::format("{} follows the end of the instruction", shown(words_.rest())));
  }

 private:
  // Keeps as many as `numbers` holds; R255, and what is above, is no register.
  void registers(std::string_view what, std::span<std::uint8_t> numbers) {
    const auto count = words_.decimal<std::uint8_t>(fmt::format("number of {}s", what));
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view name = words_.word(what);
      if (name.size() < 2 || name[0] != 'R' || name.find_first_not_of("0123456789", 1) != name.npos)
        source_.fail(fmt::format("{} is {}, must be R and a number", what, shown(name)));
      if (i < numbers.size()) std::from_chars(name.data() + 1, name.data() + name.size(), numbers[i]);
    }
  }

  // Only these lines show whether the tracer wrote an immediate: elsewhere it looks like one more delta.
  void no_addresses() {
    dialect_.immediate = words_.empty() ? Immediate::absent : Immediate::present;
    if (!words_.empty()) words_.decimal<std::int64_t>("immediate");
  }

  void addresses() {
    line_.memory = words_.rest();
    const int mode = words_.decimal<int>("address mode");
    if (mode < 0 || mode > 2)
      source_.fail(fmt::format("address mode is {}, must be 0 (list), 1 (stride) or 2 (deltas)", mode));
    if (mode == 1)
      stride();
    else
      mode == 0 ? list() : deltas();
    if (!words_.empty()) words_.decimal<std::int64_t>("immediate");
  }

  void stride() {
    std::uint64_t address = words_.hex<std::uint64_t>("base address");
    const auto step = static_cast<std::uint64_t>(words_.decimal<std::int64_t>("stride"));
    const std::uint32_t run = line_.mask ? line_.mask >> std::countr_zero(line_.mask) : 0;
    if (run & (run + 1)) {
      // Old tracers leave predicated lanes out of the mask, but count them as steps.
      if (dialect_.version >= 4)
        source_.fail_at(mask_,
                        fmt::format("mask is {:08x}, must be one run of lanes with a stride", line_.mask));
      lost_lanes("a stride over");
    }
    for (int i = 0; i < lanes(); ++i, address += step) line_.address[i] = address;
  }

  void list() {
    std::array<std::uint64_t, 33> all;
    int count = 0;
    while (count < 33 && words_.snoop().starts_with("0x"))
      all[count++] = words_.hex<std::uint64_t>("address");
    take(all, count);
  }

  // The first lane has the base; each later one adds its delta. Then an immediate may follow.
  void deltas() {
    std::array<std::uint64_t, 33> all;
    int count = 1;
    all[0] = words_.hex<std::uint64_t>("base address");
    const bool bare = dialect_.version < 4 && dialect_.immediate != Immediate::present;
    const int wanted = bare ? 33 : std::max(lanes(), 1);
    for (; count < wanted && !words_.empty(); ++count)
      all[count] = all[count - 1] + static_cast<std::uint64_t>(words_.decimal<std::int64_t>("delta"));
    // Without a line that decides it, one number too many is the immediate.
    if (bare && dialect_.immediate == Immediate::not_seen && count == lanes() + 1) --count;
    take(all, count);
  }

  void take(const std::array<std::uint64_t, 33>& all, int count) {
    if (line_.mask == 0) return;
    if (count < lanes())
      source_.fail_at(line_.memory, fmt::format("{} addresses for the {} lanes of mask {:08x}", count,
                                                lanes(), line_.mask));
    if (count == lanes()) {
      std::copy_n(all.begin(), count, line_.address.begin());
    } else if (count == 32 && dialect_.version < 4) {  // every lane is listed, predicated off or not
      int i = 0;
      for (int lane = 0; lane < 32; ++lane)
        if (line_.mask >> lane & 1) line_.address[i++] = all[lane];
    } else {
      lost_lanes(fmt::format("{} addresses for the {} lanes of", count, lanes()));
    }
  }

  [[noreturn]] void lost_lanes(std::string_view what) const {
    source_.fail_at(line_.memory,
                    fmt::format("{} mask {:08x}: whose they are is lost (tracers before November 2020 list "
                                "predicated lanes too); trace again with a newer one",
                                what, line_.mask));
  }

  int lanes() const { return std::popcount(line_.mask); }

  const LineSource& source_;
  Words words_;
  std::string_view mask_;
  TracegDialect& dialect_;
  TracegLine& line_;
};

}  // namespace

void parse_traceg_line(const LineSource& source, std::string_view text, TracegDialect& dialect,
                       TracegLine& line) {
  Parser(source, text, dialect, line).run();
}

}  // namespace golden
