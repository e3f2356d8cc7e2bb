// Cores that search each other's L1s over meshes: lock step of a small one, which finds each injected fault.
#include "verif/mutate/mutation_run.h"
#include "verif/parameters/small_topologies.h"
#include "verif/topology/remote_losses.h"
#include "verif/unit_lock_step.h"

using verif::high, verif::inverted, verif::low;

// The sound unit runs here, too.
TEST(RemoteCore, EveryInjectedFaultIsFound) {
  std::vector<verif::Fault> faults{
      {"networks_move_at_once", "", "network_enable", "", high()},
      {"one_core_is_enough_for_a_flush", "", "flush_all", "&caches_ready", high()},
      {"a_message_takes_the_place_of_one_that_waits", "_core", "send_ready", "~sent_valid_q", high()},
      {"messages_wait_for_an_empty_register", "_core", "send_ready", "leaves", low()},
      {"probes_go_to_slices", "_core", "sent_word", "probe_q", low()},
      {"slices_are_not_reported_of_searches", "_core", "sent_word", "tracked_q", low()},
      {"lines_come_from_slices", "_core", "supplied_word", "1'd1", low()},
      {"lines_name_another_supplier", "_core", "supplied_word", "core", inverted()},
      {"lines_name_another_search", "_core", "supplied_word", "line_group[28:0]", inverted()},
      {"own_probes_are_searched_for", "_node", "returns", "", low()},
      {"all_cores_are_core_0", "_node", "returns", "core", low()},
      {"stores_do_not_mark", "_node", "marks", "", low()},
      {"stores_do_not_wait_for_searches", "_node", "cache.searching", "", low()},
      {"late_replies_are_forgotten", "_node", "owed", "", low()}};
  // The cores get the right data all the same (network_faults_test).
  std::ranges::copy(verif::remote_losses(), std::back_inserter(faults));
  verif::expect_all_found("remote_core", verif::small_remote(), faults, {.cycles = 40'000});
}
