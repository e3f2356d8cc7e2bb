// A `.rec` trace as a TraceSource: each launch of its side file is a kernel.
#pragma once
#include <vector>

#include "golden/trace/io/number_set.h"
#include "golden/trace/trace_source.h"

namespace golden {

class RecSource : public TraceSource {
 public:
  explicit RecSource(std::unique_ptr<ByteSource> source) : trace_(std::move(source)) {}

  bool next_kernel(KernelInfo& kernel) override;
  bool next(Record& record) override;
  std::optional<ExecutedCounts> executed() const override { return trace_.side().executed; }
  const std::string& name() const override { return trace_.name(); }
  double fraction() const override { return trace_.fraction(); }

 private:
  void pull();
  void enter_cta(std::uint32_t cta);

  RecTrace trace_;
  Record ahead_;  // the next record, already read
  bool started_ = false, have_ = false;
  std::size_t ahead_launch_ = 0, launch_ = 0;
  std::vector<bool> done_;  // launches that have been entered
  NumberSet ctas_;
  bool in_cta_ = false;
  std::uint32_t cta_ = 0;
};

}  // namespace golden
