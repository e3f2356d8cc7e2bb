// `l1forge import`: a cache of a GPGPU-Sim or Accel-Sim configuration as one of ours.
#pragma once
#include <string>

namespace gen {

// The TOML file of a -gpgpu_cache:dl1 string: "S:64:128:6,L:L:m:N:L,A:128:8,8:0,32", or as GPGPU-Sim 3 has
// it, without the letters of type and set index. With banks (-gpgpu_l1_banks) it is a cache of as many ports.
// Comments at its end name what could not be carried over.
// Throws ConfigError with the column for a text that is no such string, and for a cache that cannot be built.
std::string toml_of_gpgpusim(const std::string& text, int banks = 1);

}  // namespace gen
