#include "l1forge_monitors.h"

#include <algorithm>

#include "l1forge_hooks.h"

namespace l1forge_sim {
namespace {

std::vector<int32_t> numbered(const Model& model, const std::string& name) {
  std::vector<int32_t> inputs;
  for (int32_t input; (input = model.input(name + std::to_string(inputs.size()))) >= 0;)
    inputs.push_back(input);
  return inputs;
}

}  // namespace

Monitors::Monitors(Model& model, unsigned sm)
    : model_(model),
      sm_(sm),
      kernel_start_(model.input("kernel_start")),
      total_(model.input("total")),
      issued_(model.input("issued")),
      limit_(model.output("limit")),
      occupancy_(numbered(model, "occupancy")),
      issued_of_(numbered(model, "issued")) {
  core(sm_) = Core();
}

void Monitors::drive(unsigned long long cycle) {
  Core& c = core(sm_);
  if (kernel_start_ >= 0) model_.drive(kernel_start_, c.starts);
  if (total_ >= 0) {
    const bool of_core = model_.shape().warps_of_core;
    const unsigned total = of_core ? c.warps : (c.warps + c.schedulers - 1) / c.schedulers;
    model_.drive(total_, std::max(total, 1u));
  }
  if (issued_ >= 0) model_.drive(issued_, lanes_issued(sm_, cycle));
  for (size_t p = 0; p < occupancy_.size(); ++p)
    model_.drive(occupancy_[p], buffer_entries(static_cast<unsigned>(p)));
  for (size_t sm = 0; sm < issued_of_.size() && sm < cores(); ++sm)
    model_.drive(issued_of_[sm], lanes_issued(static_cast<unsigned>(sm), cycle));
  c.starts = false;
}

void Monitors::limit() {
  if (limit_ < 0) return;
  Core& c = core(sm_);
  c.limited = true;
  c.limit_of_core = model_.shape().warps_of_core;
  c.limit = static_cast<unsigned>(model_.read(limit_));
}

}  // namespace l1forge_sim
