// The beginning of a trace: the first CTAs of each launch, the first accesses of each warp.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "golden/trace/open/trace_name.h"
#include "golden/trace/trace_source.h"

namespace golden {

// A trace less what is cut off. A grid has the CTAs that are left: all of them in one row where they fill no
// rows or planes of the old one.
class CutTrace : public TraceSource {
 public:
  CutTrace(std::unique_ptr<TraceSource> source, const TraceCut& cut)
      : source_(std::move(source)), cut_(cut) {}

  bool next_kernel(KernelInfo& kernel) override {
    seen_.clear();
    if (!source_->next_kernel(kernel)) return false;
    kernel.stated_records = 0;
    if (cut_.ctas > 0 && kernel.ctas() > cut_.ctas) kernel.grid = cut_grid(kernel.grid);
    return true;
  }

  bool next(Record& record) override {
    while (source_->next(record))
      if (keeps(record)) return true;
    return false;
  }

  bool list_instructions() override { return source_->list_instructions(); }
  bool count_instructions() override { return source_->count_instructions(); }
  std::optional<ExecutedCounts> executed() const override { return source_->executed(); }
  const std::string& name() const override { return source_->name(); }
  double fraction() const override { return source_->fraction(); }

 private:
  std::array<std::uint32_t, 3> cut_grid(const std::array<std::uint32_t, 3>& grid) const {
    const std::uint32_t left = cut_.ctas, row = grid[0];
    const std::uint64_t plane = std::uint64_t{row} * grid[1];
    if (left % plane == 0) return {row, grid[1], static_cast<std::uint32_t>(left / plane)};
    if (left < plane && left % row == 0) return {row, left / row, 1};
    return {left, 1, 1};
  }

  bool keeps(const Record& record) {
    if (cut_.ctas > 0 && record.cta >= cut_.ctas) return false;
    if (cut_.accesses == 0) return true;
    // The records of a CTA come together, so that only one CTA's warps need be counted at a time.
    if (record.cta != cta_) seen_.clear();
    cta_ = record.cta;
    if (seen_.size() <= record.warp) seen_.resize(record.warp + std::size_t{1});
    std::uint64_t& seen = seen_[record.warp];
    if (seen == cut_.accesses) return false;
    if (!record.is_barrier() && !record.is_plain()) ++seen;
    return true;
  }

  std::unique_ptr<TraceSource> source_;
  TraceCut cut_;
  std::uint32_t cta_ = 0;
  std::vector<std::uint64_t> seen_;  // accesses of each warp of that CTA
};

}  // namespace golden
