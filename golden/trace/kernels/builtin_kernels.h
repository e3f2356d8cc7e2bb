// Address streams of published GPU kernels, made on the fly, so that nothing needs downloading.
#pragma once
#include "golden/trace/kernels/workload.h"

namespace golden {

inline constexpr std::string_view builtin_prefix = "builtin:";

// "builtin:atax" or "builtin:atax?nx=512,ny=4096". With `instructions`, records say how many stand in front
// of each, and those behind a warp's last access come as a record of no access.
std::unique_ptr<TraceSource> open_builtin(const std::string& name, bool instructions = false);

// Its launches and warps, to be run one by one.
std::unique_ptr<Program> open_program(const std::string& name);

// What a workload of these sizes comes to: by its closed form, else by a run. `sizes` is "a=1,b=2".
struct WorkloadFigures {
  std::uint64_t footprint = 0;  // bytes of buffers in device memory
  WorkloadCounts counts;
};
WorkloadFigures workload_figures(const Workload& workload, std::string_view sizes = {});

// Counted access by access.
WorkloadCounts count_by_run(const std::string& name);

}  // namespace golden
