// `l1forge verify --upsets` and `--flop-upsets`: bits of protected RAMs or of flip-flops flip under random
// traffic, and each upset is counted by its effect.
#pragma once
#include "gen/verify/verify.h"

namespace gen {

// At least `request.upsets` of each protected array. The exit status: 0 no upset was silent, 1 one
// was, or the run failed otherwise.
int verify_upsets(const Config& config, const VerifyRequest& request);

// As many, of one array after the other, in a cache without that protection, whose model has the same upsets.
// Loads with a wrong byte are counted, and fail nothing.
int verify_upsets_without_check(const Config& config, const VerifyRequest& request);

// Upsets of flip-flops of an L1 data cache, one a run. Nothing is promised of them: the exit status is 0.
int verify_flop_upsets(const Config& config, const VerifyRequest& request);

}  // namespace gen
