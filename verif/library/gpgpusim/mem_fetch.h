// Of the simulator, as far as the adapter uses it.
#pragma once
#include "verif/library/gpgpusim/simulator.h"
