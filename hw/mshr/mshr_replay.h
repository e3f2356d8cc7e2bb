// The replay stage of an MSHR file, which looks at one waiting load at a time, and the search for the entry
// that it looks at next.
#pragma once
#include <string>
#include <vector>

#include "hw/mshr/mshr_nets.h"
#include "hw/mshr/mshr_ports.h"

namespace hw {

// A value of each entry that comes with the entry: as `name` behind the register of the stage, or in the
// cycle in which the entry is found.
struct EntryValue {
  std::string name, doc;
  rtl::Expr of_entries, out;  // nets of the file
  bool registered = true;
};

// The search, for a part of the file that follows it by itself.
struct SearchNets {
  rtl::Expr takes, next_bits;
};

// What the tag organisation adds.
struct ReplayKinds {
  std::vector<EntryValue> values = {};
  std::optional<rtl::Expr> dealloc = {};  // the entry is freed in this cycle
  std::optional<SearchNets> search = {};
  std::optional<FreeingNets> freeing = {};
};

void place_replay(MshrTop& file, const MshrPorts& ports, const MshrNets& nets, const ReplayKinds& kinds);

}  // namespace hw
