#include "cosim/l1d/stored_tags.h"

#include "golden/tags/decoupled_tags.h"
#include "golden/tags/reuse_filter_tags.h"
#include "golden/tags/split_tags.h"

namespace verif {
namespace {

template <class Tags>
const Tags& tags_of(const golden::CycleL1d& golden) {
  return static_cast<const Tags&>(golden.tags());
}

}  // namespace

unsigned tags_of_set(const hw::L1dParams& p) {
  const int tags = p.tags == hw::TagKind::split          ? hw::slots_of(p)
                   : p.tags == hw::TagKind::reuse_filter ? p.reuse.ways
                   : p.tags == hw::TagKind::decoupled    ? p.ways * p.decoupled.tags_per_way
                                                         : p.ways;
  return static_cast<unsigned>(tags);
}

std::optional<std::uint64_t> stored_tag(const golden::CycleL1d& golden, const hw::L1dParams& p,
                                        const golden::RunTimeIndex& index, unsigned set, unsigned number) {
  if (p.tags == hw::TagKind::split) {
    const auto& tags = tags_of<golden::SplitTags>(golden);
    if (!(tags.bits(set).valid >> number & 1)) return {};
    const auto slot = tags.slot(set, number);
    const int low_bits = p.split.private_tag_bits;
    return low_bits < 64 ? slot.shared << low_bits | slot.low : slot.low;
  }
  if (p.tags == hw::TagKind::reuse_filter) {
    const auto entry = tags_of<golden::ReuseTags>(golden).tag_entry(set, number);
    return entry.valid ? std::optional(entry.tag) : std::nullopt;
  }
  if (p.tags == hw::TagKind::decoupled) {
    const auto& entry = tags_of<golden::DecoupledTags>(golden).set(set)[number];
    return entry.is_live() ? std::optional(index.tag_of(entry.block)) : std::nullopt;
  }
  const auto way = golden.way(set, number);
  return way.valid ? std::optional(way.tag) : std::nullopt;
}

}  // namespace verif
