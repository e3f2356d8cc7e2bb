// The FIFO between two clocks loses and doubles nothing: proved for both ways and 1 to 3 entries; injected
// faults are found.
#include "hw/noc/crossing_fifo.h"

#include <gmock/gmock.h>

#include <tuple>
#include <vector>

#include "verif/formal/crossing_properties.h"
#include "verif/mutate/injected_faults.h"

namespace {

using verif::high, verif::other;

using enum verif::CrossingClaim;

verif::ProofResult proof(verif::CrossingClaim claim, int entries, bool to_fast,
                         const verif::Fault* fault = nullptr) {
  const auto fifo = hw::crossing_fifo({.entries = entries, .width = 1, .to_fast = to_fast}, "fifo");
  const auto verilog = verif::texts_of(fifo, fault).at("fifo");
  return verif::prove(verif::crossing_property(claim, entries, to_fast, "fifo", verilog));
}

}  // namespace

TEST(CrossingFifo, Proofs) {
  for (const bool to_fast : {false, true})
    for (int entries = 1; entries <= 3; ++entries)
      for (const auto claim : {order, bounded, moves}) {
        const auto result = proof(claim, entries, to_fast);
        EXPECT_TRUE(result.proven()) << entries << " entries, claim " << static_cast<int>(claim) << ": "
                                     << result.message;
      }
}

TEST(CrossingFifo, ProofsFindInjectedFaults) {
  const std::vector<std::tuple<verif::CrossingClaim, bool, verif::Fault>> faults{
      {order, true, {"always_valid", "", "out_valid", "", high()}},
      {order, true, {"doubled", "", "out_pointer_q", "out_pointer_q + 2'd1", other("out_pointer_q")}},
      {order, false, {"lost", "", "in_ready", "", high()}},
      {bounded, true, {"overrun", "", "in_ready", "", high()}},
      {moves, false, {"never_seen", "", "in_seen_q", "", other("in_seen_q")}},
      {moves, true, {"space_never_seen", "", "out_seen_q", "", other("out_seen_q")}}};
  for (const auto& [claim, to_fast, fault] : faults)
    EXPECT_EQ(proof(claim, 2, to_fast, &fault).outcome, verif::Outcome::counterexample) << fault.what;
}
