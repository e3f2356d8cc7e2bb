// Proofs of the choice of slots in split tags, for any state of a set: an allocation takes exactly as many
// slots as chunks are missed, or fails; no slot that is on its way or waited for, and none of a group that
// has such a slot under another tag, nor a chunk that the load finds; and nothing fails where nothing waits
// (TSC paper, section 3). Injected faults break them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "gen/config/catalogue.h"
#include "gen/print_verilog.h"
#include "hw/l1d/l1d_params.h"
#include "hw/tags/split_places.h"
#include "hw/tags/split_slots.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace {

using verif::high, verif::low, verif::other;

hw::L1dParams small(int groups, int per_group, int chunks, hw::SplitVictim victim) {
  hw::L1dParams p;
  p.tags = hw::TagKind::split;
  p.chunk_bytes = p.line_bytes / chunks;
  p.split = {.groups = groups, .chunks_per_group = per_group, .victim = victim};
  return p;
}

std::string range(int bits) { return fmt::format("[{}:0] ", bits - 1); }

// The sum of the bits of a net.
std::string ones(const std::string& net, int bits) {
  std::string sum = "8'd0";
  for (int i = 0; i < bits; ++i) sum += fmt::format(" + {}[{}]", net, i);
  return "(" + sum + ")";
}

std::string claims(const hw::L1dParams& p) {
  const int slots = hw::slots_of(p), groups = p.split.groups, k = slots / groups,
            chunks = hw::chunks_of_line(p);
  const bool by_chunk = p.split.victim == hw::SplitVictim::chunk;
  std::string text = fmt::format(
      "module sound (input wire clk, input wire rst, input wire {0}valid, input wire {0}busy, input wire "
      "{0}used,\n"
      "    input wire {0}kept_of_any, input wire {1}same_tag, input wire {2}missed, input wire "
      "{3}start_of_any, "
      "output wire bad);\n"
      "  wire {4}places;\n  wire enough;\n  wire {0}home;\n",
      range(slots), range(groups), range(chunks), range(hw::slot_bits(hw::tag_params(p))),
      range(chunks * slots));
  for (int s = 0; s < slots; ++s) text += fmt::format("  assign home[{}] = same_tag[{}];\n", s, s / k);
  text += "  // Chunks that the load finds are valid and have its tag.\n  wire " + range(slots) +
          "kept = kept_of_any & valid & home;\n";
  text += fmt::format(
      "  unit dut (.slot_valid(valid), .slot_busy(busy), .slot_used(used), .slot_kept(kept), "
      ".same_tag(same_tag),\n    .missed(missed){}, .places(places), .enough(enough));\n",
      by_chunk ? ", .start(start)" : "");
  if (by_chunk)
    text += fmt::format("  wire {}start = start_of_any < {} ? start_of_any : 0;\n",
                        range(hw::slot_bits(hw::tag_params(p))), slots);
  std::string taken = "0", wrong = "1'b0", twice = "1'b0";
  for (int c = 0; c < chunks; ++c) {
    const std::string mine = fmt::format("places[{} +: {}]", c * slots, slots);
    text += fmt::format("  wire {}place{} = {};\n", range(slots), c, mine);
    wrong += fmt::format(" | ({0} != missed[{1}])", ones(fmt::format("place{}", c), slots), c);
    for (int d = 0; d < c; ++d) twice += fmt::format(" | (|(place{} & place{}))", c, d);
    taken += fmt::format(" | place{}", c);
  }
  text += fmt::format("  wire {}taken = {};\n  wire {}blocked;\n", range(slots), taken, range(slots));
  for (int s = 0; s < slots; ++s)
    text += fmt::format(
        "  assign blocked[{0}] = busy[{0}] | kept[{0}] | (~same_tag[{1}] & (|busy[{2} +: {3}]));\n", s, s / k,
        s / k * k, k);
  return text + fmt::format(
                    "  wire wrong = {};\n  wire twice = {};\n"
                    "  wire fails = ~(|busy) & ~enough & ({} + {} <= {});\n"
                    "  assign bad = (enough & (wrong | twice)) | (|(taken & blocked)) | fails;\nendmodule\n",
                    wrong, twice, ones("kept", slots), ones("missed", chunks), chunks);
}

verif::ProofResult proof(const hw::L1dParams& p, const verif::Fault* fault = nullptr) {
  verif::Property property{
      .top = "sound", .verilog = {claims(p)}, .flush_cycles = 0, .undefined_is_free = true};
  for (const auto& [name, text] : verif::texts_of(hw::split_places(hw::tag_params(p), "unit"), fault))
    property.verilog.push_back(text);
  return verif::prove(property);
}

void expect_sound(const hw::L1dParams& p) {
  const auto result = proof(p);
  EXPECT_TRUE(result.proven()) << gen::changed_settings(p) << "\n" << result.message;
}

}  // namespace

TEST(SplitPlacesProof, VictimsByChunk) {
  expect_sound(small(2, 2, 2, hw::SplitVictim::chunk));
  expect_sound(small(3, 2, 2, hw::SplitVictim::chunk));
  expect_sound(small(1, 4, 4, hw::SplitVictim::chunk));
  expect_sound(small(4, 1, 4, hw::SplitVictim::chunk));
}

TEST(SplitPlacesProof, VictimsByGroup) {
  expect_sound(small(2, 4, 4, hw::SplitVictim::group));
  expect_sound(small(3, 2, 4, hw::SplitVictim::group));
  expect_sound(small(4, 1, 2, hw::SplitVictim::group));
}

TEST(SplitPlacesProof, InjectedFaultsBreakIt) {
  const auto breaks = [](hw::SplitVictim victim, const verif::Fault& fault) {
    return proof(small(2, 2, 2, victim), &fault).outcome == verif::Outcome::counterexample;
  };
  const auto chunk = hw::SplitVictim::chunk, group = hw::SplitVictim::group;
  EXPECT_TRUE(breaks(chunk, {"pending_group_retagged", "unit_group", "foreign", "|slot_busy", low()}));
  EXPECT_TRUE(breaks(chunk, {"hit_is_a_victim", "unit_group", "spare", "slot_kept", low()}));
  EXPECT_TRUE(breaks(chunk, {"held_slot_is_a_victim", "unit_group", "spare", "slot_busy", low()}));
  EXPECT_TRUE(breaks(chunk, {"pending_slot_is_free", "unit_group", "free", "occupied", other("slot_valid")}));
  EXPECT_TRUE(breaks(chunk, {"hit_at_home_is_a_victim", "", "may", "slot_kept", low()}));
  EXPECT_TRUE(breaks(group, {"hit_is_given", "", "victims", "slot_kept", low()}));
  EXPECT_TRUE(breaks(group, {"whole_groups_are_given", "", "given", "offered", high()}));
}
