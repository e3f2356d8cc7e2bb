// The inner state of an L1 data cache with split tags as ports of the co-simulation's wrapper.
#include <fmt/format.h>

#include <bit>

#include "gen/cosim/l1d_view.h"
#include "hw/l1d/l1d.h"
#include "hw/tags/split_slots.h"

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
  // What the cycle before changed is on its way into the arrays.
  const auto of_set = [&](const char* port, const char* late, const char* net,
                          const std::string& change = "") {
    show(fmt::format("state_{}", port), slots,
         fmt::format("(dut.tags.late_q & (dut.tags.late_set_q == state_set)) ? dut.tags.late_{0}_q : "
                     "(dut.tags.{1}[state_set * {2} +: {2}]{3})",
                     late, net, slots, change));
  };
  const auto if_in = [&](const char* net, const std::string& when) {
    return fmt::format("(dut.tags.{} & {{{}{{{}}}}})", net, slots, when);
  };
  of_set("valid", "valid", "valid_q",
         " | " + if_in("fill_slots_q", "dut.tags.fill_q & (dut.tags.fill_set_q == state_set)"));
  std::string released = " & ~" + if_in("released_q", "dut.tags.released_set_q == state_set");
  if (hw::widens(hw::tag_params(p)))
    released += " & ~" + if_in("fill_released_q", "dut.tags.fill_set_q == state_set");
  of_set("busy", "busy", "busy_q", released);
  of_set("replacement", "used", "nru_q");
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
  // The waits of the entry whose waiter was answered in the cycle before are on their way to it.
  const int waits = chunks * bits_for(p.mshr_merges + 1);
  std::string waits_now;
  for (int e = entries - 1; e >= 0; --e)
    waits_now += fmt::format(
        "(dut.mshr.answered_q & dut.mshr.last_entry_bits{}) ? dut.mshr.last_waits : dut.mshr.waits_q{}{}",
        entries > 1 ? fmt::format("_q[{}]", e) : "",
        entries * waits > 1 ? fmt::format("[{} +: {}]", e * waits, waits) : "", e ? ", " : "");
  show("state_waits", entries * waits, "{" + waits_now + "}");
  return view;
}

}  // namespace gen
