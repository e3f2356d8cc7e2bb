// A trace given as lists of records, one a kernel, for tests of what reads traces.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "golden/trace/trace_source.h"

namespace verif {

class ListTrace : public golden::TraceSource {
 public:
  using Kernel = std::vector<golden::Record>;

  explicit ListTrace(std::vector<Kernel> kernels, std::uint32_t block = 0)
      : kernels_(std::move(kernels)), block_(block) {}

  bool next_kernel(golden::KernelInfo& kernel) override {
    if (started_) ++kernel_;
    started_ = true;
    at_ = 0;
    kernel = {};
    if (block_) kernel.block = {block_, 1, 1};
    return kernel_ < kernels_.size();
  }
  bool next(golden::Record& record) override {
    if (at_ == kernels_[kernel_].size()) return false;
    record = kernels_[kernel_][at_++];
    return true;
  }
  const std::string& name() const override { return name_; }
  double fraction() const override { return -1; }

 private:
  std::vector<Kernel> kernels_;
  std::uint32_t block_;
  std::string name_ = "list";
  size_t kernel_ = 0, at_ = 0;
  bool started_ = false;
};

// One lane of four bytes.
inline golden::Record access(std::uint32_t cta, std::uint16_t warp, std::uint64_t address,
                             golden::AccessKind kind = golden::AccessKind::load) {
  golden::Record record;
  record.cta = cta;
  record.warp = warp;
  record.kind = kind;
  record.mask = 1;
  record.bytes_per_lane = 4;
  record.address[0] = static_cast<decltype(record.address)::value_type>(address);
  return record;
}

inline golden::Record wait(std::uint32_t cta, std::uint16_t warp) {
  golden::Record record;
  record.cta = cta;
  record.warp = warp;
  record.space = golden::Record::barrier_space;
  return record;
}

}  // namespace verif
