// Keys of what joins cores with L1s that others reach: meshes or butterflies (DC-L1 thesis, chapter 4).
#pragma once
#include <string>
#include <vector>

#include "gen/config/key.h"

namespace gen {

// `meshed`: kinds of topology with a mesh; `shared`: the kinds that may have butterflies instead.
void add_fabrics(std::vector<Key>& keys, const std::vector<std::string>& meshed,
                 const std::vector<std::string>& shared);

}  // namespace gen
