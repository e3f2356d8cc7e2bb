// The family of sharing predictors for the commands.
#pragma once
#include "gen/units/unit_kind.h"

namespace gen {

const UnitKind& sharing_predictor_unit();

}  // namespace gen
