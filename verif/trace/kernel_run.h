// Runs of built-in kernels, and recordings of published ones, as lists of records.
#pragma once
#include "golden/trace/open/open_trace.h"
#include "verif/trace/traceg_text.h"
#include "verif/tree.h"

namespace verif {

// Every record of a kernel, barriers too.
struct KernelRun {
  golden::KernelInfo kernel;
  std::vector<golden::Record> records;
};

inline std::vector<KernelRun> run_kernels(const std::string& name) {
  std::vector<KernelRun> out;
  const auto source = golden::open_trace(name);
  for (golden::KernelInfo kernel; source->next_kernel(kernel);) {
    out.push_back({kernel, {}});
    for (golden::Record record; source->next(record);) out.back().records.push_back(record);
  }
  return out;
}

// The beginning of a published kernel, verif/traces/kernels/NAME.rec.xz.
inline std::vector<golden::Record> recorded(const std::string& name) {
  return read_source(verif::in_source("verif/traces/kernels/") + name + ".rec.xz").records;
}

}  // namespace verif
