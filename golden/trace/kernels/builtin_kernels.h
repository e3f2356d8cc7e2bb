// Address streams of published GPU kernels, made on the fly, so that nothing needs downloading.
#pragma once
#include <optional>
#include <span>

#include "golden/trace/kernels/program.h"

namespace golden {

struct BuiltinKernel {
  std::string_view name, what, source;
  std::vector<Size> sizes;
  std::unique_ptr<Program> (*make)(const Sizes&);
  // Instructions between accesses at an edge of its loops, by its program as PTX: what stands behind the last
  // access and in front of the first, on average over its loops. Not known of all.
  std::optional<double> edge_gap = {};
};

std::span<const BuiltinKernel> builtin_kernels();

inline constexpr std::string_view builtin_prefix = "builtin:";

// "builtin:atax" or "builtin:atax?nx=512,ny=4096".
std::unique_ptr<TraceSource> open_builtin(const std::string& name);

// False of a built-in kernel that does not say what stands at the edges of its loops.
bool states_gaps(const std::string& trace);

}  // namespace golden
