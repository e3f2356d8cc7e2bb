#include "golden/cache/functional_l1d.h"

#include <algorithm>

namespace golden {

FunctionalL1d::FunctionalL1d(const hw::L1dParams& p)
    : index_(p.index),
      stores_(StorePolicy::make(p)),
      set_loads_(hw::sets_of(p)),
      chunk_use_(hw::chunks_of_line(p) + 1) {
  if (!is_adaptive(p)) return;
  monitor_ = std::make_unique<UntimedAdaptiveIndex>(monitor_params(p));
  const auto order = p.iacm.order;
  begins_with_adi_ = hw::has_controller(p) && order != hw::IacmOrder::awl && order != hw::IacmOrder::awl_adi;
  if (begins_with_adi_) monitor_->begin();
}

bool FunctionalL1d::only_writes(RequestKind kind, std::uint32_t held, std::uint32_t mask) {
  if (stores_->invalidates(kind, false)) return false;
  counters_.store_updates += stores_->writes(kind, false, held, mask) != 0;
  return true;
}

Result FunctionalL1d::changed(RequestKind kind) {
  if (kind == RequestKind::drop) return Result::drop;
  ++(kind == RequestKind::store ? counters_.stores : counters_.atomics);
  return kind == RequestKind::store ? Result::store : Result::atomic;
}

void FunctionalL1d::notify(const MonitorInputs& inputs) {
  if (begins_with_adi_ && inputs["kernel_start"]) monitor_->begin();
}

std::vector<const History*> FunctionalL1d::histories() const {
  std::vector<const History*> all;
  if (monitor_) all.push_back(monitor_->history());
  if (const History* modes = mode_history()) all.push_back(modes);
  return all;
}

// Under an index that may change, requests are served up to a load that may change it, and shown to the
// monitor.
void FunctionalL1d::access(std::span<const Request> requests, Result* results) {
  constexpr size_t most = 256;
  if (!results) watched_.resize(most);
  while (!requests.empty()) {
    auto part = results && !monitor_ ? requests : requests.first(std::min(most, requests.size()));
    if (monitor_) part = part.first(served_under_one_index(part));
    Result* const answers = results ? results : watched_.data();
    unseen_.clear();
    serve(part, answers);
    if (monitor_) watch(part, answers);
    if (results) results += part.size();
    requests = requests.subspan(part.size());
  }
}

// How many of the requests come up to and with the first load that may change sel.
size_t FunctionalL1d::served_under_one_index(std::span<const Request> requests) const {
  auto loads = monitor_->core().loads_to_change();
  if (std::ssize(requests) <= loads) return requests.size();
  size_t n = 0;
  while (n < requests.size() && loads > 0) loads -= requests[n++].kind == RequestKind::load;
  return n;
}

void FunctionalL1d::watch(std::span<const Request> requests, const Result* results) {
  const std::uint64_t loads = counters_.loads;  // a change comes with the last of the requests
  auto unseen = unseen_.begin();
  for (size_t i = 0; i < requests.size(); ++i) {
    if (unseen != unseen_.end() && *unseen == i) {
      ++unseen;
      continue;
    }
    if (requests[i].kind != RequestKind::load) continue;
    const std::uint64_t block = index_.block_of(requests[i].address);
    monitor_->observe({.block = block, .result = results[i]}, 0);
    if (!monitor_->changes()) continue;
    flush();
    index_.select(monitor_->sel());
    monitor_->edge(loads);
  }
}

}  // namespace golden
