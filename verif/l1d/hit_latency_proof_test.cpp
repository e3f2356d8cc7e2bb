// A hit that is answered in the cycle of its lookup (core.hit_latency = 1) stays on the outputs until the
// core takes it: proved of caches of each kind of tags that has such hits, from any state of all registers.
// Injected faults break it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/l1d/l1d.h"
#include "verif/formal/opened_unit.h"
#include "verif/full_tier.h"

namespace {

// `apart`: data that was read ahead and a response in the answer stage never stand side by side.
constexpr const char* claim = R"(
  wire apart = ~(read_ahead_q & (answer_valid_q | answer_direct_q));
  reg past = 1'd0, shown = 1'd0;
  reg [1:0] id = 2'd0;
  reg [1:0] mask = 2'd0;
  always @(posedge clk) begin
    past <= apart | rst;
    shown <= core_response_valid & ~core_response_ready & ~rst;
    id <= core_response_id;
    mask <= core_response_mask;
  end
  wire kept = core_response_valid & (core_response_id == id) & (core_response_mask == mask);
  assign bad = past & (~apart | (shown & ~kept));
endmodule
)";

verif::Property property(const hw::L1dParams& p, const verif::Fault* fault = nullptr) {
  verif::OpenedUnit cache(hw::l1d(p, "unit").module, fault);
  cache.see({"read_ahead_q", "answer_valid_q", "answer_direct_q"});
  return cache.property(claim);
}

hw::L1dParams small(hw::TagKind tags) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 16,
                  .capacity_bytes = 1024,
                  .ways = 2,
                  .tags = tags,
                  .mshr_entries = 2,
                  .mshr_merges = 2,
                  .miss_queue = 2,
                  .core_id_bits = 2,
                  .hit_latency = 1};
  p.reuse = {.ways = 4};
  p.index.address_bits = p.address_bits;
  p.index.line_bytes = p.line_bytes;
  p.index.sets = hw::sets_of(p);
  return p;
}

}  // namespace

TEST(HitsAtOnce, AResponseStaysUntilItIsTaken) {
  std::vector<hw::TagKind> kinds{hw::TagKind::conventional, hw::TagKind::decoupled};
  if (verif::full_tier()) kinds.insert(kinds.end(), {hw::TagKind::sectored, hw::TagKind::reuse_filter});
  for (const hw::TagKind tags : kinds) {
    const auto result = verif::prove(property(small(tags)));
    EXPECT_TRUE(result.proven()) << static_cast<int>(tags) << "\n" << result.message;
    fmt::print("tags {}: {} {:.1f} s\n", static_cast<int>(tags), result.engine, result.seconds);
  }
}

TEST(HitsAtOnce, InjectedFaultsBreakIt) {
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"lost_when_not_taken", "", "answer_valid_q", "hit_kept", verif::low()},
           {"another_answer_takes_its_place", "", "answer_free", "answered_at_once", verif::low()},
           {"the_replays_id_is_kept", "", "replay_shown", "hit_kept", verif::low()},
           {"read_while_the_stage_is_full", "", "ahead", "answer_free", verif::high()}})
    EXPECT_EQ(verif::prove(property(small(hw::TagKind::conventional), &fault)).outcome,
              verif::Outcome::counterexample)
        << fault.what;
}
