#include "golden/gpu/system/gap_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/trace/kernels/builtin_kernels.h"
#include "golden/trace/open/open_trace.h"

namespace golden {

namespace {

class GapTrace final : public TraceSource {
 public:
  GapTrace(std::unique_ptr<TraceSource> source, const Gaps& gaps) : source_(std::move(source)), gaps_(gaps) {}

  bool next_kernel(KernelInfo& kernel) override {
    if (!source_->next_kernel(kernel)) return false;
    edge_ = gaps_.edge;
    follower_ = {};
    endings_.clear();
    have_ = source_->next(ahead_);
    return true;
  }

  bool next(Record& record) override {
    if (endings_.empty() && entered_ && !(have_ && follower_.in_cta(ahead_.cta))) end_cta();
    if (!endings_.empty()) {
      record = endings_.back();
      endings_.pop_back();
      return true;
    }
    if (!have_) return false;
    if (!follower_.in_cta(ahead_.cta)) follower_.enter(ahead_.cta);
    entered_ = true;
    cta_ = ahead_.cta;
    record = ahead_;
    const GapFollower::Step step = follower_.step(record);
    record.before = static_cast<std::uint32_t>(step.forward + (step.edge ? whole(record.warp, edge_) : 0));
    have_ = source_->next(ahead_);
    return true;
  }

  const std::string& name() const override { return source_->name(); }
  double fraction() const override { return source_->fraction(); }

 private:
  // The instructions that are now complete.
  std::uint64_t whole(std::uint16_t warp, double more) {
    double& open = follower_.warps()[warp].open;
    open += more;
    const auto count = static_cast<std::uint64_t>(open + 1e-9);  // thirds add up to a whole
    open -= static_cast<double>(count);
    return count;
  }

  void end_cta() {
    entered_ = false;
    if (gaps_.end == 0) return;
    for (std::size_t w = 0; w < follower_.warps().size(); ++w) {
      if (!follower_.warps()[w].any) continue;
      const std::uint64_t count = whole(static_cast<std::uint16_t>(w), gaps_.end);
      if (count == 0) continue;
      Record& record = endings_.emplace_back();
      record.cta = cta_;
      record.warp = static_cast<std::uint16_t>(w);
      record.space = Record::no_space;
      record.mask = follower_.warps()[w].mask;
      record.before = static_cast<std::uint32_t>(count - 1);
    }
  }

  std::unique_ptr<TraceSource> source_;
  Gaps gaps_;
  double edge_ = 0;
  GapFollower follower_;
  Record ahead_;
  bool have_ = false, entered_ = false;
  std::uint32_t cta_ = 0;
  std::vector<Record> endings_;
};

GapCounts count(TraceSource& source) {
  GapCounts counts;
  GapFollower follower;
  KernelInfo kernel;
  Record record;
  while (source.next_kernel(kernel)) {
    follower = {};
    while (source.next(record)) {
      if (!follower.in_cta(record.cta)) follower.enter(record.cta);
      const GapFollower::Step step = follower.step(record);
      ++(record.is_barrier() ? counts.barriers : counts.accesses);
      counts.forward += step.forward;
      counts.edges += step.edge;
      counts.warps += step.first;
      counts.has_pcs |= record.pc != 0;
    }
  }
  return counts;
}

}  // namespace

GapFollower::Step GapFollower::step(const Record& record) {
  if (warps_.size() <= record.warp) warps_.resize(record.warp + std::size_t{1});
  Seen& seen = warps_[record.warp];
  Step step{.first = !seen.any};
  if (!seen.any)
    step.forward = record.pc;
  else if (record.pc > seen.pc)
    step.forward = record.pc - seen.pc - 1;
  else
    step.edge = true;
  seen.any = true;
  seen.pc = record.pc;
  if (record.mask) seen.mask = record.mask;
  return step;
}

void GapFollower::enter(std::uint32_t cta) {
  started_ = true;
  cta_ = cta;
  warps_.clear();
}

Gaps GapCounts::gaps(const ExecutedCounts& executed) const {
  const double kept =
      executed.accesses ? static_cast<double>(accesses) / static_cast<double>(executed.accesses) : 1.0;
  const double all = static_cast<double>(executed.warp_instructions) * std::min(kept, 1.0);
  const double known = static_cast<double>(accesses + barriers + forward);
  const double rest = std::max(0.0, all - known);
  if (edges) return {.edge = rest / static_cast<double>(edges), .end = 0};
  return {.edge = 0, .end = warps ? rest / static_cast<double>(warps) : 0};
}

std::unique_ptr<TraceSource> open_instructions(const std::string& trace) {
  if (trace.starts_with(builtin_prefix)) return open_builtin(trace, true);
  auto source = open_trace(trace);
  if (source->list_instructions()) return source;
  const auto executed = source->executed();
  const char* const remedy =
      "--system needs them: use a .traceg, a built-in kernel, or a .rec whose side file has them";
  if (!executed || executed->warp_instructions == 0)
    throw TraceError(
        fmt::format("{}: no side file says how many instructions were executed "
                    "(dynamic_untruncated.warp_insts); {}",
                    source->name(), remedy));
  if (trace == "-")
    throw TraceError("standard input: is read twice to place its instructions; --system needs a file");
  const GapCounts counts = count(*source);
  if (!counts.has_pcs)
    throw TraceError(
        fmt::format("{}: every pc_id is 0, so nothing says where the instructions between accesses stand; {}",
                    source->name(), remedy));
  return std::make_unique<GapTrace>(open_trace(trace), counts.gaps(*executed));
}

}  // namespace golden
