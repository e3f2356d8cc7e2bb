// The arrays of a unit on the RAM macros of a technology: side by side for wide rows, stacked behind an
// output multiplexer for many, and the fallback for arrays that no macro serves.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "gen/area/synthesis.h"
#include "gen/tech/technology.h"
#include "gen/unit/unit.h"

namespace gen {

// What a RAM wrapper asks of a macro, by its module's name.
struct ArrayNeed {
  RamPorts ports = RamPorts::one_rw;
  int byte_bits = 0;  // of a byte that is written alone; 0: rows are written as a whole

  std::string text() const;  // "1rw, writes by bytes"
};
ArrayNeed need_of(const std::string& module);

// One shape of array, and what stands for it.
struct MappedArray {
  StorageArray one;  // the first of them
  int count = 0;
  std::optional<Macro> macro = {};  // none: the fallback
  int across = 0, deep = 0;
  RamFallback fallback = RamFallback::outside;

  int macros() const { return across * deep; }
  double macro_area() const { return macro ? macros() * macro->facts.area : 0; }  // of one array, um^2
  double used() const;                                                            // share of the macros' bits
};

struct RamMapping {
  std::string technology;
  std::vector<MappedArray> arrays = {};

  double macro_area() const;  // of all arrays, um^2
  // Bits of the arrays that nothing stands for.
  std::int64_t bits_outside(RamPorts ports) const;
  const MappedArray* of(const std::string& module) const;
};

// The macros of least area for each array; of equal areas the fewest. Throws ConfigError naming the nearest
// macro where the technology refuses an array that none serves.
RamMapping map_arrays(const std::vector<StorageArray>& storage, const Technology& technology);

// Puts the mapped bodies into a request that has the wrappers as black boxes.
void apply(const RamMapping& mapping, AreaRequest& request);

std::string mapping_table(const RamMapping& mapping);
nlohmann::ordered_json mapping_json(const RamMapping& mapping);

}  // namespace gen
