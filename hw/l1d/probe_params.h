// What probe events say of a load's lookup, for hardware, models and whoever reads them.
#pragma once

namespace hw {

enum class ProbeResult { hit, hit_pending, partial_miss, miss, bypass };

inline constexpr int probe_result_bits = 3;

}  // namespace hw
