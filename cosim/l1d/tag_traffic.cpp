#include "cosim/l1d/tag_traffic.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "cosim/l1d/decoupled_watch.h"
#include "cosim/l1d/reuse_filter_watch.h"
#include "cosim/l1d/split_watch.h"

namespace verif {
namespace {

using Numbers = std::vector<std::size_t>;

template <class Watch>
std::unique_ptr<AxisWatch> make(const hw::L1dParams& p) {
  return std::make_unique<Watch>(p);
}

std::unique_ptr<AxisWatch> nothing(const hw::L1dParams&) { return nullptr; }

std::size_t lines(const hw::L1dParams& p) { return static_cast<std::size_t>(whole_lines_of_set(p)); }

Numbers one_too_many(const hw::L1dParams& p) { return {lines(p) + 1}; }
std::size_t three_times(const hw::L1dParams& p) { return 3 * lines(p) + 2; }

Numbers lines_or_entries(const hw::L1dParams& p) {
  const auto entries = static_cast<std::size_t>(p.reuse.ways);
  return {lines(p), lines(p) + 1, lines(p) + 2, entries, entries + 1};
}

// Lines that share the ways, and lines that each take one.
Numbers lines_or_tags(const hw::L1dParams& p) {
  const auto tags = lines(p) * static_cast<std::size_t>(p.decoupled.tags_per_way);
  return {lines(p) + 1, tags, tags + 1, tags + 2};
}

constexpr std::array kinds{
    TagTraffic{hw::TagKind::conventional, one_too_many, three_times, false, nothing},
    TagTraffic{hw::TagKind::sectored, one_too_many, three_times, false, nothing},
    TagTraffic{hw::TagKind::split, one_too_many, three_times, false, make<L1dSplitWatch>},
    TagTraffic{hw::TagKind::reuse_filter, lines_or_entries,
               [](const hw::L1dParams& p) {
                 return std::max(three_times(p), static_cast<std::size_t>(p.reuse.ways) + 6);
               },
               true, make<L1dReuseWatch>},
    TagTraffic{hw::TagKind::decoupled, lines_or_tags,
               [](const hw::L1dParams& p) { return std::max(three_times(p), lines_or_tags(p).back() + 4); },
               true, make<L1dDecoupledWatch>},
};

}  // namespace

const TagTraffic& tag_traffic(hw::TagKind kind) {
  for (const TagTraffic& row : kinds)
    if (row.kind == kind) return row;
  std::abort();
}

int whole_lines_of_set(const hw::L1dParams& p) { return hw::bytes_of_set(p) / p.line_bytes; }

}  // namespace verif
