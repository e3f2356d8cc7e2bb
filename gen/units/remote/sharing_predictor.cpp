#include "gen/units/remote/sharing_predictor.h"

#include "hw/remote/sharing_predictor.h"

namespace gen {
namespace {

std::vector<StorageAccount> accounts_of(const hw::SharingPredictorParams& p) {
  if (p.kind == hw::PredictorKind::always) return {};
  return {{"instructions",
           p.entries,
           {{"valid", 1},
            {"pc", p.pc_bits},
            {"state", hw::predictor_state_bits(p)},
            {"misses", hw::predictor_miss_bits(p)},
            {"replies", hw::predictor_reply_bits(p)}},
           true}};
}

Unit elaborated(const hw::SharingPredictorParams& p, const std::string& top) {
  return {.top = hw::sharing_predictor(p, top), .latency = 0, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::SharingPredictorParams& p) {
  return cycle_bench("units/sharing_predictor_cosim.h", "SharingPredictorBench", "SharingPredictorParams", p,
                     1'000'000, {}, p.kind == hw::PredictorKind::pc);
}

}  // namespace

const UnitKind& sharing_predictor_unit() {
  static const UnitKind kind = unit_kind<hw::SharingPredictorParams>(
      elaborated, cosim, "judges the misses of a cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
