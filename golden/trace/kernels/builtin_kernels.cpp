#include "golden/trace/kernels/builtin_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "golden/trace/coalesce.h"

namespace golden {

namespace {

// Runs each launch CTA by CTA, and in a CTA warp by warp up to each barrier.
class BuiltinSource : public TraceSource {
 public:
  BuiltinSource(std::string name, std::unique_ptr<Program> program, bool instructions)
      : name_(std::move(name)), program_(std::move(program)), instructions_(instructions) {}

  bool next_kernel(KernelInfo& kernel) override {
    if (program_->launches() == 0)  // what comes may depend on what has run
      for (Record passed; launch_ && next(passed);) continue;
    warps_.clear();
    launch_ = program_->next_launch();
    if (!launch_) return false;
    cta_ = warp_ = 0;
    kernel = launch_->kernel;
    kernel.index = static_cast<std::uint32_t>(entered_++);
    return true;
  }

  bool next(Record& record) override {
    if (!launch_) return false;
    while (cta_ < launch_->kernel.ctas()) {
      if (warps_.empty()) start_cta();
      const bool runs = warps_[warp_] && warps_[warp_]->next(record);
      if (runs && record.is_plain() && !instructions_) continue;
      if (!runs) warps_[warp_].reset();
      if (!runs || record.is_barrier()) next_warp();
      if (!runs) continue;
      if (!instructions_) record.before = 0;
      return true;
    }
    return false;
  }

  bool count_instructions() override { return instructions_ = true; }

  const std::string& name() const override { return name_; }

  double fraction() const override {
    if (program_->launches() == 0) return -1;
    const double inside =
        launch_ ? static_cast<double>(cta_) / static_cast<double>(launch_->kernel.ctas()) - 1 : 0;
    return (static_cast<double>(entered_) + inside) / static_cast<double>(program_->launches());
  }

 private:
  void start_cta() {
    for (std::uint32_t i = 0; i < launch_->kernel.warps_per_cta(); ++i)
      warps_.emplace_back(launch_->warp(
          Warp(launch_->kernel, static_cast<std::uint32_t>(cta_), static_cast<std::uint16_t>(i))));
  }

  void next_warp() {
    if (++warp_ < warps_.size()) return;
    warp_ = 0;
    if (std::ranges::any_of(warps_, [](const auto& warp) { return warp.has_value(); })) return;
    warps_.clear();
    ++cta_;
  }

  std::string name_;
  std::unique_ptr<Program> program_;
  bool instructions_;
  std::optional<KernelLaunch> launch_;
  std::size_t entered_ = 0;
  std::uint64_t cta_ = 0;
  std::size_t warp_ = 0;
  std::vector<std::optional<Accesses>> warps_;  // of the current CTA; finished ones are empty
};

std::string all_names() {
  std::string out;
  for (const Workload* const one : workloads())
    out += fmt::format("{}{}", out.empty() ? "" : ", ", one->name);
  return out;
}

}  // namespace

std::unique_ptr<Program> open_program(const std::string& name) {
  std::string_view sizes = name;
  if (sizes.starts_with(builtin_prefix)) sizes.remove_prefix(builtin_prefix.size());
  const std::string_view kernel = sizes.substr(0, sizes.find('?'));
  sizes.remove_prefix(std::min(kernel.size() + 1, sizes.size()));
  const auto all = workloads();
  const auto found = std::ranges::find(all, kernel, [](const Workload* one) { return one->name; });
  if (found == all.end())
    throw TraceError(fmt::format("{}: no such built-in kernel; there are {}", name, all_names()));
  return (*found)->make(Sizes(name, (*found)->sizes, sizes));
}

std::unique_ptr<TraceSource> open_builtin(const std::string& name, bool instructions) {
  return std::make_unique<BuiltinSource>(name, open_program(name), instructions);
}

WorkloadCounts count_by_run(const std::string& name) {
  WorkloadCounts counts;
  const auto source = open_builtin(name, true);
  std::unordered_set<std::uint64_t> touched;
  std::vector<std::uint64_t> lines;
  Record record;
  for (KernelInfo kernel; source->next_kernel(kernel);)
    while (source->next(record)) {
      counts.instructions += record.before + 1;
      if (record.is_barrier() || record.is_plain()) continue;
      ++counts.accesses;
      coalesce(record, 128, lines);
      touched.insert(lines.begin(), lines.end());
    }
  counts.lines = touched.size();
  return counts;
}

WorkloadFigures workload_figures(const Workload& workload, std::string_view text) {
  const std::string name =
      fmt::format("{}{}{}{}", builtin_prefix, workload.name, text.empty() ? "" : "?", text);
  const Sizes sizes(name, workload.sizes, text);
  return {workload.make(sizes)->footprint(), workload.counts ? workload.counts(sizes) : count_by_run(name)};
}

}  // namespace golden
