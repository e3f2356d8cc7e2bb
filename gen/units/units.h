// Every family of units: the overloads that the commands visit a configuration's parameters with.
#pragma once
#include "gen/units/adaptive/adaptive.h"
#include "gen/units/axi4/axi4.h"
#include "gen/units/dueling/filter_dueling.h"
#include "gen/units/index/index.h"
#include "gen/units/l1d/l1d.h"
#include "gen/units/mode/mode.h"
#include "gen/units/noc/noc.h"
#include "gen/units/topology/topology.h"
