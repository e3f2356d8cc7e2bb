// Keys that several units of remote-core probing share (DC-L1 thesis, chapter 3).
#pragma once
#include "gen/config/family.h"

namespace gen {

inline const char* const remote_source = "DC-L1 thesis, chapter 3";

KeyInfo remote_cores_key();
KeyInfo selector_core_key();
KeyInfo coverage_key();
KeyInfo probes_key();
KeyInfo predictor_entries_key();

// Units whose keys a core among others has, too.
const Family& core_selector_family();
const Family& probe_handler_family();
const Family& probe_table_family();
const Family& sharing_predictor_family();

}  // namespace gen
