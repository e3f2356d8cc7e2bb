// Messages of several beats on a TileLink bus (docs/contracts/tilelink-adapter.md, "Bursts").
#pragma once
#include "hw/bus/tilelink_adapter_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Counts the beats of the messages of a channel.
rtl::Module tilelink_beats(const TilelinkAdapterParams& p);

// The words of a message on channel A, those of earlier beats beside that of the beat that is shown.
rtl::Module tilelink_gather(const TilelinkAdapterParams& p);

}  // namespace hw
