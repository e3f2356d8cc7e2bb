// How far the memory of a run is, and how fast: below each cache or slice, or each sub-partition of it.
#pragma once

namespace golden {

struct Below {
  int latency = 100;  // cycles from the last byte that it moves to the answer
  int bytes = 32;     // that it moves in a cycle
};

}  // namespace golden
