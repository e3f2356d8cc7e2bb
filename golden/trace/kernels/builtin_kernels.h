// Address streams of published GPU kernels, made on the fly, so that nothing needs downloading.
#pragma once
#include <span>

#include "golden/trace/kernels/program.h"

namespace golden {

struct BuiltinKernel {
  std::string_view name, what, source;
  std::vector<Size> sizes;
  std::unique_ptr<Program> (*make)(const Sizes&);
};

std::span<const BuiltinKernel> builtin_kernels();

inline constexpr std::string_view builtin_prefix = "builtin:";

// "builtin:atax" or "builtin:atax?nx=512,ny=4096".
std::unique_ptr<TraceSource> open_builtin(const std::string& name);

}  // namespace golden
