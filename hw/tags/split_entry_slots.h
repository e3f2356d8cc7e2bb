// The part of the MSHR file of a cache with split tags that knows the slot of each chunk of the entries'
// lines (TSC paper, section 3).
#pragma once
#include <optional>
#include <string>

#include "hw/mshr/mshr_replay.h"
#include "hw/tags/split_slots.h"

namespace hw {

struct SplitMshrTop : MshrTop {
  SplitMshrTop(const TagParams& tags, const MshrParams& p, const MshrLines& lines, const std::string& name,
               const rtl::Loc& loc = rtl::Loc::current());

  const int slots, slot_width;
  const bool widened;  // a load may look for more chunks than it asks for
};

// Chunks of the request's line, and slots.
struct SplitPlacePorts {
  rtl::Expr numbers, valid, load;
  std::optional<rtl::Expr> effective;  // where a load may look for more chunks than it asks for
  rtl::Expr pending_slots, fill_numbers, fill_at;
  std::optional<rtl::Expr> fill_released;  // where it may, too
  rtl::Expr replay_at, replay_released;
};
struct SplitMshrPorts {
  MshrPorts file;
  SplitPlacePorts place;
};

// Slots of the chunks of all entries, and those of the replay stage's next entry.
struct SlotNets {
  rtl::Expr of_entries, next;
  SearchNets search;
};
SlotNets slot_nets(SplitMshrTop& f);

void place_slots(SplitMshrTop& file, const SplitMshrPorts& ports, const MshrNets& nets, const SlotNets& slots,
                 const HoldingNets& holding, const std::optional<FreeingNets>& freeing);

}  // namespace hw
