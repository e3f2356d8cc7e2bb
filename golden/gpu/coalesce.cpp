#include "golden/gpu/coalesce.h"

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

}  // namespace golden
