#include "golden/trace/coalesce.h"

#include <algorithm>

namespace golden {

void coalesce(const Record& record, int line_bytes, std::vector<std::uint64_t>& lines) {
  lines.clear();
  const std::uint64_t step = static_cast<std::uint64_t>(line_bytes);
  for (const std::uint64_t address : record.addresses()) {
    const std::uint64_t last = (address + record.bytes_per_lane - 1) & ~(step - 1);
    for (std::uint64_t line = address & ~(step - 1); line <= last; line += step) {
      if (!lines.empty() && lines.back() == line) continue;
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
}

void coalesce(const Record& record, int line_bytes, int chunk_bytes, std::vector<LineAccess>& lines) {
  lines.clear();
  const std::uint64_t in_line = static_cast<std::uint64_t>(line_bytes) - 1;
  const int chunk_shift = std::countr_zero(static_cast<unsigned>(chunk_bytes));
  for (const std::uint64_t first : record.addresses()) {
    const std::uint64_t last = first + record.bytes_per_lane - 1;
    for (std::uint64_t at = first; at <= last; at = (at | in_line) + 1) {
      const std::uint64_t line = at & ~in_line, end = std::min(last, at | in_line);
      const auto low = (at & in_line) >> chunk_shift, high = (end & in_line) >> chunk_shift;
      const auto mask = static_cast<std::uint32_t>((2ull << high) - (1ull << low));
      // Neighbouring lanes mostly touch the same line.
      auto found = lines.end();
      if (!lines.empty() && lines.back().line == line)
        found = lines.end() - 1;
      else
        found = std::find_if(lines.begin(), lines.end(), [line](const auto& l) { return l.line == line; });
      if (found == lines.end())
        lines.push_back({line, mask});
      else
        found->mask |= mask;
    }
  }
}

}  // namespace golden
