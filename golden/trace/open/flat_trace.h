// The records of several traces, kernel after kernel, as one stream.
#pragma once
#include <vector>

#include "golden/trace/trace_source.h"

namespace golden {

class FlatTrace {
 public:
  explicit FlatTrace(std::vector<std::string> traces) : traces_(std::move(traces)) {}

  // CTAs are numbered as in the file, where it numbers them through its launches. False after the last
  // record.
  bool next(Record& record);

 private:
  std::vector<std::string> traces_;
  std::size_t next_ = 0;
  std::unique_ptr<TraceSource> source_;
  KernelInfo kernel_;
};

}  // namespace golden
