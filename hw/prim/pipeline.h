// Register stages of a pure data pipeline: values are carried from the stage that makes them to the one that
// uses them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "hw/rtl/module.h"

namespace hw {

// Stage 0 is what the inputs drive in the same cycle; stage s lies behind s registers. Registers have no
// reset: the output is defined `stages` cycles after the first input.
class Pipeline {
 public:
  Pipeline(rtl::Module& module, int stages) : module_(module), moves_(stages) {}

  // `value`, called `name` and made in stage `from`, as stage `to` sees it; registers are
  // `<name>_s<stage>_q`.
  rtl::Expr carry(const rtl::Expr& value, const std::string& name, int from, int to, const std::string& doc,
                  rtl::Loc loc = rtl::Loc::current());

  // Writes the clocked blocks, one a stage. Call it last.
  void finish(rtl::Loc loc = rtl::Loc::current());

  int stages() const { return static_cast<int>(moves_.size()); }

  // The stage in which logic level `level` of `depth` stands when the levels are spread evenly over the
  // stages.
  int stage_of(int level, int depth) const;

 private:
  rtl::Module& module_;
  std::vector<std::vector<std::pair<rtl::Expr, rtl::Expr>>> moves_;  // register, value: into stage s + 1
  std::map<std::string, rtl::Expr> registers_;
};

}  // namespace hw
