// A Verilated model with counters of its lines and nets, which it writes when it ends.
#pragma once
#include <verilated_cov.h>

#include <utility>

#include "cosim/harness/verilog_coverage.h"

namespace verif {

template <class Model>
class CountingModel : public Model {
 public:
  using Model::Model;
  // The counters lie in the models: the first that ends writes those of all.
  ~CountingModel() override {
    if (const std::string file = std::exchange(verilog_coverage_file, ""); !file.empty())
      Verilated::threadContextp()->coveragep()->write(file.c_str());
  }
};

}  // namespace verif
