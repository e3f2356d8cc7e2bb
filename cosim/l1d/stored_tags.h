// The tags that an L1 data cache of any kind holds, one by one, as its comparators read them.
#pragma once
#include <cstdint>
#include <optional>

#include "golden/index/run_time_index.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

// Of a set: ways, entries of a reuse filter, tags that share a way, or slots of split tags.
unsigned tags_of_set(const hw::L1dParams& p);

// None where there is none.
std::optional<std::uint64_t> stored_tag(const golden::CycleL1d& golden, const hw::L1dParams& p,
                                        const golden::RunTimeIndex& index, unsigned set, unsigned number);

}  // namespace verif
