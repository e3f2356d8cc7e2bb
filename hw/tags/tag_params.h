// What every tag organisation is asked for, shared by the hardware and its golden twin.
#pragma once

namespace hw {

enum class TagKind { conventional, sectored, split, reuse_filter };
enum class Replacement { lru, nru, random };
enum class StoreScope { line, mask };

}  // namespace hw
