#include "golden/trace/open/flat_trace.h"
#include "golden/trace/open/open_trace.h"

namespace golden {

bool FlatTrace::next(Record& record) {
  for (;;) {
    if (source_ && source_->next(record)) {
      record.cta += kernel_.first_cta;
      return true;
    }
    while (!source_ || !source_->next_kernel(kernel_)) {
      if (next_ == traces_.size()) return false;
      source_ = open_trace(traces_[next_++]);
    }
  }
}

}  // namespace golden
