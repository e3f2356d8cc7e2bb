#include "hw/prim/pipeline.h"

#include <fmt/format.h>

namespace hw {

rtl::Expr Pipeline::carry(const rtl::Expr& value, const std::string& name, int from, int to,
                          const std::string& doc, rtl::Loc loc) {
  rtl::Expr at = value;
  for (int s = from + 1; s <= to; ++s) {
    const std::string registered = fmt::format("{}_s{}_q", name, s);
    if (const auto known = registers_.find(registered); known != registers_.end()) {
      at = known->second;
      continue;
    }
    const rtl::Expr q = module_.data_reg(registered, value.width(),
                                         fmt::format("{}, {} cycle{} later", doc, s, s == 1 ? "" : "s"), loc);
    moves_[s - 1].emplace_back(q, at);
    registers_.emplace(registered, q);
    at = q;
  }
  return at;
}

void Pipeline::finish(rtl::Loc loc) {
  for (std::size_t s = 0; s < moves_.size(); ++s)
    if (!moves_[s].empty())
      module_.clocked(
          fmt::format("Pipeline stage {}.", s + 1),
          [&] {
            for (const auto& [q, value] : moves_[s]) module_.set(q, value, loc);
          },
          loc);
}

int Pipeline::stage_of(int level, int depth) const {
  int stage = 0;
  for (int s = 1; s <= stages(); ++s) {
    const int cut = (s * depth + stages()) / (stages() + 1);
    if (level > cut) stage = s;
  }
  return stage;
}

}  // namespace hw
