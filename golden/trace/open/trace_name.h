// How traces are named: a file, or the beginning of what is in it, "FILE?accesses=20".
#pragma once
#include <cstdint>
#include <string>

namespace golden {

// What is kept of a trace; 0 keeps all.
struct TraceCut {
  std::uint32_t ctas = 0;      // of a launch, those whose number is below
  std::uint64_t accesses = 0;  // of a warp; barriers behind the last go with what follows it

  bool any() const { return ctas > 0 || accesses > 0; }
};

struct TraceName {
  std::string file;  // or folder, built-in kernel, "-"
  TraceCut cut = {};
};

// The last '?' ends the name of a file that is there, unless one of the whole name is. Throws TraceError for
// keys that are no cut.
TraceName trace_name(const std::string& name);

}  // namespace golden
