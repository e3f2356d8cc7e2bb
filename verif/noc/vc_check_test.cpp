// Crossbars and routers that check their neighbours: in lock step under flits without credits, broken packets
// and surplus credits, and injected faults.
#include <gmock/gmock.h>

#include "verif/check/fault_table.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using Settings = std::vector<std::string>;

const Settings odd{"check.ports=true",      "crossbar.inputs=3", "crossbar.outputs=3",
                   "crossbar.flit_bytes=2", "crossbar.vcs=3",    "crossbar.vc_depth=2"};
const Settings one_vc{"check.ports=true",      "crossbar.inputs=2", "crossbar.outputs=2",
                      "crossbar.flit_bytes=2", "crossbar.vcs=1",    "crossbar.vc_depth=4"};

void expect_noticed(const std::string& preset, const Settings& settings, const Settings& faults) {
  verif::expect_injected(verif::lock_step(preset, settings, 60'000, 1), preset, faults);
}

const Settings of_all{"a flit without a credit", "a credit for no flit", "a flit that breaks its packet"};

TEST(VcCheck, FaultsOfNeighboursAreNoticed) {
  Settings of_odd = of_all;
  of_odd.push_back("a head for an output that is not there");
  expect_noticed("vc_crossbar", odd, of_odd);
  expect_noticed("vc_crossbar", one_vc, of_all);
}

TEST(VcCheck, OfARouter) {
  expect_noticed("mesh_router",
                 {"check.ports=true", "mesh.width=3", "mesh.height=2", "mesh.vcs=2", "mesh.vc_flits=2",
                  "crossbar.flit_bytes=2"},
                 of_all);
}

// Of three ports a stage, and of two.
TEST(VcCheck, OfAButterfly) {
  const Settings small{"check.ports=true", "butterfly.stages=2", "mesh.vcs=2", "mesh.vc_flits=2",
                       "crossbar.flit_bytes=4"};
  for (const char* radix : {"butterfly.radix=2", "butterfly.radix=3"}) {
    Settings settings = small;
    settings.push_back(radix);
    expect_noticed("butterfly", settings, of_all);
  }
}

const verif::Fault of_a_butterfly[] = {
    {"the_first_stage_reports_nothing", "", "errors.codes", "switch0_0_code", verif::low()},
    {"the_last_stage_reports_nothing", "", "errors.codes", "switch1_1_code", verif::low()},
    {"no_error_is_kept", "error_collector", "broken_q", "~(|broken_q)", verif::low()},
};

TEST(VcCheck, BrokenChecksOfAButterflyAreFound) {
  verif::expect_all_found("butterfly",
                          {"check.ports=true", "butterfly.radix=2", "butterfly.stages=2", "mesh.vcs=2",
                           "mesh.vc_flits=2", "crossbar.flit_bytes=4"},
                          of_a_butterfly, {.cycles = 60'000});
}

const verif::Fault faults[] = {
    {"any_flit_has_a_credit", "vc_input_check", "overflow", "", verif::low()},
    {"a_freed_place_is_full", "vc_input_check", "overflow", "credit_valid", verif::low()},
    {"any_flit_follows", "vc_input_check", "broken", "", verif::low()},
    {"flits_are_not_counted", "vc_input_check", "held_q", "valid", verif::low()},
    {"credits_back_are_not_counted", "vc_input_check", "held_q", "credit_valid", verif::low()},
    {"packets_never_end", "vc_input_check", "open_q", "~tail", verif::high()},
    {"any_credit_is_due", "vc_output_check", "excess", "", verif::low()},
    {"flits_out_are_not_counted", "vc_output_check", "spent_q", "valid", verif::low()},
    {"credits_are_not_counted", "vc_output_check", "spent_q", "credit_valid", verif::low()},
    {"the_last_error_stays", "", "code_q", "~(|code_q)", verif::high()},
};

TEST(VcCheck, EveryBrokenCopyIsFound) {
  verif::expect_all_found("vc_crossbar", odd, faults, {.cycles = 60'000});
}

}  // namespace
