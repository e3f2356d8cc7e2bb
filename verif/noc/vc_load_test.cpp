// Throughput of the crossbar's Verilog under uniform random single-flit traffic, against the figures that its
// allocation rules lead to.
#include "verif/noc/vc_load.h"

#include <gmock/gmock.h>

namespace {

const std::vector<verif::LoadCase> cases{
    {"random", false, false}, {"destination", true, false}, {"queues", true, true}};

void expect_near(const hw::CrossbarParams& p, const std::map<std::string, double>& expected) {
  const auto measured = verif::measure(p, cases);
  for (const auto& [name, figure] : measured)
    fmt::print("{}x{} V={} iterations={} {}: {:.3f}\n", p.inputs, p.outputs, p.vcs, p.iterations, name,
               figure.throughput);
  for (const auto& [name, value] : expected) EXPECT_NEAR(measured.at(name).throughput, value, 0.01) << name;
}

}  // namespace

TEST(VcLoad, EightByFour) {
  expect_near({.flit_bytes = 1}, {{"destination", .890}, {"queues", .980}});
  expect_near({.flit_bytes = 1, .iterations = 2}, {{"destination", .962}, {"queues", .999}});
}

TEST(VcLoad, EightByEight) {
  expect_near({.outputs = 8, .flit_bytes = 1, .vcs = 1}, {{"random", .618}});
  expect_near({.outputs = 8, .flit_bytes = 1, .iterations = 2},
              {{"random", .758}, {"destination", .787}, {"queues", .858}});
}
