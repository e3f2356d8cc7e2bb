// Snoops pass requests that fail: proved of a cache, from any state of all registers, that a snoop in front
// of the tag-lookup stage never waits for one that fails, and that the one parked comes back as it was, right
// behind the snoop. Injected faults break it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/l1d/l1d.h"
#include "verif/formal/opened_unit.h"

namespace {

// `kept`: the request that stood in the tag-lookup stage or was passed there, with what it writes, if it
// does. One that is parked is where it waits. Events are of the cycle before.
constexpr const char* claim = R"(
  wire [287:0] writes = {probe_byte_enable_q, probe_data_q} & {288{|probe_kind_q}};
  wire [287:0] kept_writes = {probe_byte_enable_q, probe_data_q} & {288{|aside_kind_q}};
  wire [312:0] standing = {probe_id, probe_block_address, probe_kind_q, probe_mask_q, probe_set_q, writes};
  wire [312:0] waiting =
    {old_id_q, old_block_address_q, aside_kind_q, aside_mask_q, aside_set_q, kept_writes};
  reg [312:0] kept;
  reg stays = 0, back = 0, refused = 0, past = 0;
  wire in_order = (~probe_valid_q | ~probe_snoop_q | (probe_kind_q == 2'd0))
    & (~aside_q | (probe_valid_q & probe_snoop_q & (kept == waiting)));
  wire failed = event_reservation_fail_line | event_reservation_fail_mshr | event_reservation_fail_merge
    | event_reservation_fail_queue;
  wire sound = (~back | (probe_valid_q & ~probe_snoop_q & ~aside_q & (kept == standing)))
    & (~stays | aside_q | (probe_valid_q & (kept == standing))) & ~(refused & failed)
    & ~(aside_q & (core_request_ready | flush_ready));
  always @(posedge clk) begin
    if (~aside_q) kept <= standing;
    stays <= ~rst & probe_valid_q & ~aside_q & ~fire;
    back <= ~rst & aside_q & fire;
    refused <= ~rst & ~flush_valid & (core_request_kind == 3'd5) & ~core_request_ready;
    past <= in_order | rst;
  end
  assign bad = past & (~in_order | (~rst & ~sound));
endmodule
)";

hw::L1dParams small() {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 16,
                  .capacity_bytes = 1024,
                  .ways = 2,
                  .mshr_entries = 2,
                  .mshr_merges = 2,
                  .miss_queue = 2,
                  .core_id_bits = 2,
                  .counters = true,
                  .snoops = true};
  p.index.address_bits = p.address_bits;
  p.index.line_bytes = p.line_bytes;
  p.index.sets = hw::sets_of(p);
  return p;
}

verif::Property property(const verif::Fault* fault = nullptr) {
  verif::OpenedUnit cache(hw::l1d(small(), "unit").module, fault);
  cache.see({"probe_valid_q", "probe_snoop_q", "probe_kind_q", "probe_mask_q", "probe_set_q", "probe_id",
             "probe_data_q", "probe_byte_enable_q", "aside_q", "aside_kind_q", "aside_mask_q", "aside_set_q",
             "old_id_q", "fire", "probe_block_address", "old_block_address_q"});
  return cache.property(claim);
}

}  // namespace

TEST(Passing, SnoopsNeverWaitForAFailAndTheOtherComesBackAsItWas) {
  const auto result = verif::prove(property());
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{} {:.1f} s\n", result.engine, result.seconds);
}

TEST(Passing, InjectedFaultsBreakIt) {
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"snoops_wait_behind_fails", "", "probe_open", "fails", verif::low()},
           {"flushed_beside_one", "", "flush_ready", "probe_valid_q", verif::other("stayed_q")},
           {"it_is_lost", "", "aside_q", "snoop_passes", verif::low()},
           {"its_line_is_the_next_one", "", "old_block_address_q", "~aside_q", verif::high()},
           {"it_comes_back_a_snoop", "", "probe_snoop_q", "~aside_q", verif::high()}})
    EXPECT_EQ(verif::prove(property(&fault)).outcome, verif::Outcome::counterexample) << fault.what;
}
