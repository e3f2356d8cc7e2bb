// Shared L1s whose virtual channels hold one flit: the Verilog never stands still, and stands still where
// requests to slices wait for those to homes. The scoreboard alone says so, without the reference model.
#include "gen/unit/unit.h"
#include "verif/mutate/injected_faults.h"
#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

rtl::Expr behind_those_to_homes(const rtl::Expr& sound, const verif::Nets& net) {
  return sound & ~net("out0_front_valid");
}

const std::vector<verif::Fault> one_class{{"requests_to_slices_wait_for_those_to_homes", "_core",
                                           "slice_requests.in_valid", "", behind_those_to_homes}};

verif::LockStep by_scoreboard(const verif::Flags& flags, const std::vector<verif::Fault>& faults) {
  return verif::lock_step("shared_l1", flags, 300'000, verif::fresh_seed(5), [&](gen::ProgramSource& source) {
    const std::string bench = "DcL1Bench<Vdut, params, Ports>";
    source.main.replace(source.main.find(bench), bench.size(),
                        "DcL1Bench<Vdut, params, Ports, verif::Against::scoreboard>");
    if (faults.empty()) return;
    for (const auto& [name, text] :
         verif::texts_of(gen::elaborate(gen::load_config("shared_l1", flags)).top, faults))
      source.verilog[name + ".v"] = text;
    source.lint = false;
  });
}

class OneFlitVcs : public testing::TestWithParam<verif::Flags> {};

TEST_P(OneFlitVcs, NeverStandStill) {
  const verif::LockStep run = by_scoreboard(GetParam(), {});
  EXPECT_EQ(run.status, 0) << run.output;
}

TEST_P(OneFlitVcs, StandStillWithOneClassOfRequests) {
  const verif::LockStep run = by_scoreboard(GetParam(), one_class);
  EXPECT_EQ(run.status, 1) << run.output;
  EXPECT_THAT(run.output, testing::HasSubstr("cycles in which nothing moves"));
}

INSTANTIATE_TEST_SUITE_P(Fabrics, OneFlitVcs,
                         testing::Values(verif::with(verif::small_shared(), {"mesh.vc_flits=1"}),
                                         verif::with(verif::small_butterfly(), {"mesh.vc_flits=1"})));

}  // namespace
