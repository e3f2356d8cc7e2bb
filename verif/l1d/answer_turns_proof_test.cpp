// Hits, waiting loads and direct answers alternate: proved of caches of each kind of tags, from any state of
// all registers, that one that asks for the answer stage and goes on asking sees at most two grants to others
// before its own. Injected faults break it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "hw/l1d/l1d.h"
#include "verif/formal/opened_unit.h"

namespace {

// `waited`: grants to others since it asks. The turn is `away` from it.
constexpr const char* claim = R"(
  wire [2:0] asks = {direct, replay_asks, hit_asks};
  wire [2:0] grants = {grant_direct, grant_replay, grant_hit};
  wire [5:0] away = (pointer_q == 2'd0) ? {2'd2, 2'd1, 2'd0}
      : (pointer_q == 2'd1) ? {2'd1, 2'd0, 2'd2} : {2'd0, 2'd2, 2'd1};
  reg [1:0] waited0 = 0, waited1 = 0, waited2 = 0;
  always @(posedge clk) begin
    waited0 <= (~rst & asks[0] & ~grants[0]) ? waited0 + (|grants) : 2'd0;
    waited1 <= (~rst & asks[1] & ~grants[1]) ? waited1 + (|grants) : 2'd0;
    waited2 <= (~rst & asks[2] & ~grants[2]) ? waited2 + (|grants) : 2'd0;
  end
  wire in_turn = (pointer_q != 2'd3) & ({1'd0, waited0} + {1'd0, away[1:0]} <= 3'd2)
    & ({1'd0, waited1} + {1'd0, away[3:2]} <= 3'd2) & ({1'd0, waited2} + {1'd0, away[5:4]} <= 3'd2);
  wire sound = ((grants & ~asks) == 0) & ((grants & (grants - 3'd1)) == 0) & ((|grants) | ~(|asks) | ~answer_free);
  reg past = 1'd0;
  always @(posedge clk) past <= in_turn | rst;
  assign bad = (past & ~in_turn) | (past & ~rst & ~sound);
endmodule
)";

verif::Property property(const hw::L1dParams& p, const verif::Fault* fault = nullptr) {
  verif::OpenedUnit cache(hw::l1d(p, "unit").module, fault);
  cache.see({"hit_asks", "replay_asks", "direct", "grant_hit", "grant_replay", "grant_direct", "answer_free",
             "pointer_q"});
  return cache.property(claim);
}

hw::L1dParams small(hw::TagKind tags) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 32,
                  .chunk_bytes = 16,
                  .capacity_bytes = 1024,
                  .ways = 2,
                  .tags = tags,
                  .split = {.private_tag_bits = 2, .groups = 2},
                  .mshr_entries = 2,
                  .mshr_merges = 2,
                  .miss_queue = 2,
                  .core_id_bits = 1};
  p.reuse = {.ways = 4};
  if (tags == hw::TagKind::split) p.replacement = hw::Replacement::nru;
  p.index.address_bits = p.address_bits;
  p.index.line_bytes = p.line_bytes;
  p.index.sets = hw::sets_of(p);
  return p;
}

}  // namespace

TEST(AnswerTurns, EachWaitsAtMostTwoGrantsOfTheOthers) {
  for (const auto tags : {hw::TagKind::conventional, hw::TagKind::sectored, hw::TagKind::split,
                          hw::TagKind::reuse_filter, hw::TagKind::decoupled}) {
    const auto result = verif::prove(property(small(tags)));
    EXPECT_TRUE(result.proven()) << static_cast<int>(tags) << "\n" << result.message;
    fmt::print("tags {}: {} {:.1f} s\n", static_cast<int>(tags), result.engine, result.seconds);
  }
}

TEST(AnswerTurns, InjectedFaultsBreakIt) {
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"the_waiting_load_keeps_its_turn", "", "pointer_q", "GRANT_DIRECT", verif::stuck(1)},
           {"the_hit_is_first_always", "", "hit_first", "pointer_q == GRANT_HIT", verif::high()},
           {"direct_answers_never_first", "", "grant_direct", "pointer_q == GRANT_DIRECT", verif::low()}})
    EXPECT_EQ(verif::prove(property(small(hw::TagKind::conventional), &fault)).outcome,
              verif::Outcome::counterexample)
        << fault.what;
}
