// The inner state of an L1 data cache with split tags as ports of the co-simulation's wrapper.
#include <fmt/format.h>

#include <bit>

#include "gen/cosim/l1d_view.h"
#include "hw/l1d/l1d.h"

namespace gen {
namespace {

// Rows of the set of several RAMs, 64 bits each, the first lowest.
std::string rows(const char* ram, int count, int width) {
  std::string all;
  for (int i = count - 1; i >= 0; --i)
    all += fmt::format("{}dut.tags.{}{}.rows[state_set]{}",
                       width < 64 ? fmt::format("{}'d0, ", 64 - width) : "", ram, i, i ? ", " : "");
  return "{" + all + "}";
}

}  // namespace

std::vector<ViewPort> l1d_split_view(const hw::L1dParams& p) {
  const auto bits_for = [](int count) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(count - 1)));
  };
  const int sets = hw::sets_of(p), slots = hw::slots_of(p), chunks = hw::chunks_of_line(p),
            entries = p.mshr_entries;
  const int tag = hw::stored_tag_bits(p), shared = tag - p.split.private_tag_bits;
  const int slot_tag = p.split.private_tag_bits + bits_for(chunks);
  std::vector<ViewPort> view{{"state_set", bits_for(sets)}};
  const auto show = [&](const std::string& port, int width, const std::string& value) {
    view.push_back(shown(port, width, value));
  };
  if (shared > 0) show("state_shared", 64 * p.split.groups, rows("shared", p.split.groups, shared));
  if (slot_tag > 0) show("state_slots", 64 * slots, rows("slot", slots, slot_tag));
  for (const auto& [port, net] :
       {std::pair("valid", "valid_q"), {"busy", "busy_q"}, {"replacement", "nru_q"}})
    show(fmt::format("state_{}", port), slots,
         fmt::format("dut.tags.{0}[state_set * {1} +: {1}]", net, slots));
  if (p.split.victim == hw::SplitVictim::chunk) show("state_lfsr", 16, "dut.tags.lfsr_q");
  const auto of_entries = [&](const char* port, const char* net, int width) {
    show(fmt::format("state_{}", port), entries * width, fmt::format("dut.mshr.{}", net));
  };
  of_entries("in_use", "in_use_now", 1);
  of_entries("doomed", "doomed_q", 1);
  of_entries("flushed", "flushed_q", 1);
  show("state_wake", entries, shown_wake(p));
  of_entries("pending", "pending_q", chunks);
  of_entries("count", "count_now", bits_for(p.mshr_merges + 1));
  of_entries("entry_set", "set_q", bits_for(sets));
  of_entries("entry_tag", "tag_q", tag);
  of_entries("entry_slots", "slot_q", chunks * bits_for(slots));
  of_entries("waits", "waits_q", chunks * bits_for(p.mshr_merges + 1));
  return view;
}

}  // namespace gen
