// The FIFO between two clocks loses and doubles nothing: proved for both ways and 1 to 3 entries; planted
// faults are found.
#include "hw/noc/crossing_fifo.h"

#include "verif/formal/crossing_properties.h"
#include "verif/noc/lock_step.h"

namespace {

using enum verif::CrossingClaim;

verif::ProofResult proof(verif::CrossingClaim claim, int entries, bool to_fast,
                         const verif::Fault* fault = nullptr) {
  std::map<std::string, std::string> unit{
      {"fifo",
       gen::verilog(hw::crossing_fifo({.entries = entries, .width = 1, .to_fast = to_fast}, "fifo"))}};
  if (fault) verif::plant(unit, *fault);
  return verif::prove(verif::crossing_property(claim, entries, to_fast, "fifo", unit.at("fifo")));
}

}  // namespace

TEST(CrossingFifo, Proofs) {
  for (const bool to_fast : {false, true})
    for (int entries = 1; entries <= 3; ++entries)
      for (const auto claim : {order, room, moves}) {
        const auto result = proof(claim, entries, to_fast);
        EXPECT_TRUE(result.proven()) << entries << " entries, claim " << static_cast<int>(claim) << ": "
                                     << result.message;
      }
}

TEST(CrossingFifo, ProofsFindPlantedFaults) {
  const std::vector<std::tuple<verif::CrossingClaim, bool, verif::Fault>> faults{
      {order, true, {"assign out_valid = out_pointer_q != in_pointer_q", "assign out_valid = 1'd1"}},
      {order, true, {"out_pointer_q <= out_pointer_q + 2'd1", "out_pointer_q <= out_pointer_q"}},  // doubled
      {order, false, {"assign in_ready = ~full", "assign in_ready = 1'd1"}},                       // lost
      {room, true, {"assign in_ready = ~full", "assign in_ready = 1'd1"}},
      {moves, false, {"in_seen_q <= in_pointer_q", "in_seen_q <= in_seen_q"}},
      {moves, true, {"out_seen_q <= out_pointer_q", "out_seen_q <= out_seen_q"}}};
  for (const auto& [claim, to_fast, fault] : faults)
    EXPECT_EQ(proof(claim, 2, to_fast, &fault).outcome, verif::Outcome::counterexample)
        << static_cast<int>(claim) << ": " << fault.from;
}
