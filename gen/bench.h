// `l1forge bench`: how fast this build generates and co-simulates each preset, measured side by side.
#pragma once
#include <string>

namespace gen {

// `json` empty: a table only; "-": JSON on standard output. Returns the exit status.
int bench(const std::string& json);

}  // namespace gen
