// Keys that several units of remote-core probing share (DC-L1 thesis, chapter 3).
#pragma once
#include "gen/config/key.h"

namespace gen {

inline const char* const remote_source = "DC-L1 thesis, chapter 3";

KeyInfo remote_cores_key();
KeyInfo selector_core_key();
KeyInfo coverage_key();
KeyInfo probes_key();
KeyInfo predictor_entries_key();

}  // namespace gen
