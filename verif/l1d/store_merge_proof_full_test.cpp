// Loads that merge behind a store (tags.store_on_pending = "merge"): proved of a cache, from any state of all
// registers, that no load waits in an entry to whose line a store of its warp, or an atomic, has come. Who
// waits there gets what memory had before; all others fetch the line behind the store. Injected faults break
// it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/l1d/l1d.h"
#include "verif/formal/opened_unit.h"

namespace {

// Of any one entry and warp, which stay: `behind` from such a store or atomic to the end of the entry.
constexpr const char* claim = R"(
  reg entry;
  reg [1:0] warp;
  reg behind = 0, past = 0;
  wire used = in_use[entry];
  wire at_entry = match_bits[entry] & used;
  wire of_warp = (probe_warp_q == warp) | (probe_kind_q == 2'd2);
  wire waits = stored_q[{entry, warp}] & poisoned[entry];
  always @(posedge clk) begin
    entry <= entry;
    warp <= warp;
    behind <= ~rst & used & (behind | (poison & at_entry & of_warp));
    past <= ~behind | waits | rst;
  end
  assign bad = past & ((behind & ~waits) | (behind & merge & at_entry & (probe_warp_q == warp)));
endmodule
)";

hw::L1dParams small() {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 16,
                  .capacity_bytes = 1024,
                  .ways = 2,
                  .store_on_pending = hw::StoreOnPending::merge,
                  .mshr_entries = 2,
                  .mshr_merges = 2,
                  .miss_queue = 2,
                  .core_id_bits = 1,
                  .warp_bits = 2};
  p.index.address_bits = p.address_bits;
  p.index.line_bytes = p.line_bytes;
  p.index.sets = hw::sets_of(p);
  return p;
}

verif::Property property(const verif::Fault* fault = nullptr) {
  verif::OpenedUnit cache(hw::l1d(small(), "unit").module, fault);
  cache.see({"probe_kind_q", "probe_warp_q", "poison", "merge"});
  cache.see({"in_use", "match_bits", "poisoned"}, "mshr");
  cache.see({"stored_q"}, "mshr.entries");
  return cache.property(claim);
}

TEST(StoreMergeProof, NoLoadWaitsBehindAStoreOfItsWarp) {
  const auto result = verif::prove(property());
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{} {:.1f} s\n", result.engine, result.seconds);
}

TEST(StoreMergeProof, InjectedFaultsBreakIt) {
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"warp_not_compared", "_mshr_entries", "waits", "warp_bits", verif::low()},
           {"store_of_no_warp", "_mshr_entries", "storing", "warp_bits", verif::low()},
           {"atomics_hold_one_warp", "_mshr_entries", "storing", "poison_all", verif::low()},
           {"merges_all_the_same", "", "can_merge", "~entry_waits", verif::high()}})
    EXPECT_EQ(verif::prove(property(&fault)).outcome, verif::Outcome::counterexample) << fault.what;
}

}  // namespace
