// The entry of the MSHR file that a new line takes: the lowest one that is free.
#pragma once
#include <optional>
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// What the search says in the same cycle.
struct FreeEntry {
  rtl::Expr two;                         // two entries are free
  std::optional<rtl::Expr> number = {};  // of the lowest, of several
};

// Adds the search to `m` as an instance of module `name`; `free` are the entries that are not in use. It
// drives the lowest of them, one-hot, and the lowest of each group of the search.
FreeEntry free_entry(rtl::Module& m, const std::string& name, const rtl::Expr& free, const rtl::Expr& lowest,
                     const rtl::Expr& firsts);

}  // namespace hw
