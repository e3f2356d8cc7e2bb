// Every family of units: the overloads that the commands visit a configuration's parameters with.
#pragma once
#include "gen/units/adaptive.h"
#include "gen/units/axi4.h"
#include "gen/units/filter_dueling.h"
#include "gen/units/index.h"
#include "gen/units/l1d.h"
#include "gen/units/mode.h"
#include "gen/units/noc.h"
#include "gen/units/topology.h"
