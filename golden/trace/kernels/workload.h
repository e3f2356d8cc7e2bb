// A workload: a published program as a built-in kernel, declared in the file of its generator, which is all
// that a new one takes (cmake/Workloads.cmake finds `const Workload workload_<file's name>`).
#pragma once
#include <memory>

#include "golden/trace/kernels/program.h"

namespace golden {

// Which of the papers measures on it.
struct Use {
  std::string_view source;     // short name, as in docs/bibliography.md
  std::string_view name;       // of the program there
  std::string_view said = {};  // its class or its size there
};

// What a whole run comes to.
struct WorkloadCounts {
  std::uint64_t accesses = 0;      // of warps to global memory: loads, stores and atomics
  std::uint64_t instructions = 0;  // of warps, all of them
  std::uint64_t lines = 0;         // distinct ones of 128 bytes that are touched; 0 where no form is known

  bool operator==(const WorkloadCounts&) const = default;
};

struct Workload {
  std::string_view name, what;
  std::string_view suite, source;  // the published program: file and kernels
  std::vector<Use> uses;
  std::vector<Size> sizes;
  std::unique_ptr<Program> (*make)(const Sizes&);
  // By a closed form, which tests hold against a run; null where generated input decides.
  WorkloadCounts (*counts)(const Sizes&) = nullptr;
  std::string_view checked;  // what its accesses have been compared with
};

// All of them, by suite and name.
std::span<const Workload* const> workloads();

template <class Made>
std::unique_ptr<Program> make_program(const Sizes& sizes) {
  return std::make_unique<Made>(sizes);
}

constexpr std::uint64_t lines_of(std::uint64_t bytes) { return (bytes + 127) / 128; }

// The warps of a launch, and the warps with a lane inside the problem.
struct WarpCount {
  std::uint64_t all = 0, working = 0;

  std::uint64_t idle() const { return all - working; }
};

// Coordinates along one axis that count as inside: from `first` up to but not including `end`.
struct Inside {
  std::uint64_t first, end;
};

WarpCount count_warps(const std::array<std::uint32_t, 3>& grid, const std::array<std::uint32_t, 3>& block,
                      Inside x, Inside y = {0, ~std::uint64_t{0}});

}  // namespace golden
