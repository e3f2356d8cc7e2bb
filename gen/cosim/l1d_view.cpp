#include "gen/cosim/l1d_view.h"

#include <fmt/format.h>

#include <bit>

#include "hw/adaptive/adi_monitor.h"
#include "hw/l1d/l1d.h"

namespace gen {

ViewPort shown(const std::string& port, int width, const std::string& value) {
  const int padding = 128 - width % 64;
  return {port, width + padding, fmt::format("{{{}'d0, {}}}", padding, value)};
}

// An entry that is looked at is awake, though it is not to be looked at once more.
std::string shown_wake(const hw::L1dParams& p) {
  return p.mshr_entries > 1 ? "dut.mshr.awake_q | dut.mshr.replay_entry_bits_q"
                            : "dut.mshr.awake_q | dut.mshr.replay_valid_q";
}

namespace {

std::vector<ViewPort> ways_view(const hw::L1dParams& p) {
  const auto bits_for = [](int count) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(count - 1)));
  };
  const int sets = hw::sets_of(p), ways = p.ways, entries = p.mshr_entries;
  const int validity = p.tags == hw::TagKind::sectored ? hw::chunks_of_line(p) : 1;
  const int tag = hw::stored_tag_bits(p);
  const bool filtered = p.tags == hw::TagKind::reuse_filter;
  const int age = p.replacement == hw::Replacement::lru ? bits_for(ways) : 1;
  std::vector<ViewPort> view{{"state_set", bits_for(sets)}};
  const auto show = [&](const std::string& port, int width, const std::string& value) {
    view.push_back(shown(port, width, value));
  };
  // What the probe changed in the cycle before is on its way into the arrays.
  const auto of_set = [&](const char* port, const char* net, int width, const std::string& more = "",
                          const std::string& without = "") {
    show(port, width,
         fmt::format("((dut.tags.late_q & (dut.tags.late_set_q == state_set)) ? dut.tags.late_{0} : "
                     "(dut.tags.{0}[state_set * {1} +: {1}]{2})){3}",
                     net, width, more, without));
  };
  const auto of_entries = [&](const char* net, int width) {
    const std::string name(net);
    show("state_" + name.substr(0, name.rfind('_')), entries * width, "dut.mshr." + name);
  };
  std::string tags;
  const int tags_of_set = filtered ? p.reuse.ways : ways;
  for (int w = tags_of_set - 1; w >= 0; --w) {
    if (tag < 64) tags += fmt::format("{}'d0, ", 64 - tag);
    tags += fmt::format("dut.tags.{}{}.rows[state_set]{}", filtered ? "entry" : "way", w, w ? ", " : "");
  }
  show("state_tags", 64 * tags_of_set, "{" + tags + "}");
  if (filtered) {
    of_set("state_tag_valid", "entry_valid_q", p.reuse.ways);
    show("state_reuse", p.reuse.ways * (p.reuse.rc_bits + 1 + bits_for(ways)),
         "dut.tags.reuse.rows[state_set]");
  }
  const std::string filled = fmt::format(
      " | (dut.tags.fill_bits_q & {{{}{{dut.tags.fill_q & (dut.tags.fill_set_q == state_set)}}}})",
      ways * validity);
  of_set("state_valid", "valid_q", ways * validity, p.tags == hw::TagKind::reuse_filter ? "" : filled);
  of_set("state_busy", "busy_q", ways, "",
         fmt::format(" & ~(dut.tags.vacate_way_q & {{{}{{dut.tags.vacate_q & "
                     "(dut.tags.vacate_set_q == state_set)}}}})",
                     ways));
  if (p.replacement == hw::Replacement::random)
    show("state_lfsr", 16, "dut.tags.lfsr_q");
  else if (ways > 1)
    of_set("state_replacement", p.replacement == hw::Replacement::lru ? "age_q" : "nru_q", ways * age);
  for (const char* flag : {"in_use_now", "doomed_q", "flushed_q"}) of_entries(flag, 1);
  show("state_wake", entries, shown_wake(p));
  of_entries("pending_q", validity);
  of_entries("count_now", bits_for(p.mshr_merges + 1));
  for (const auto& [net, width] : {std::pair("set", bits_for(sets)), {"tag", tag}, {"way", bits_for(ways)}})
    if (width > 0)
      show(fmt::format("state_entry_{}", net), entries * width, fmt::format("dut.mshr.{}_q", net));
  return view;
}

}  // namespace

std::vector<ViewPort> l1d_view(const hw::L1dParams& p) {
  std::vector<ViewPort> view = p.tags == hw::TagKind::split ? l1d_split_view(p) : ways_view(p);
  if (p.index.kind != hw::IndexKind::adi) return view;
  const int bits = hw::index_bits(hw::monitor_params(p)), width = hw::sel_bits(hw::monitor_params(p));
  std::string sels;
  for (int i = bits - 1; i >= 0; --i) sels += fmt::format("dut.monitor.sel{}_q{}", i, i ? ", " : "");
  view.push_back(shown("state_sel", bits * width, "{" + sels + "}"));
  view.push_back(shown("state_phase", 3, "dut.monitor.phase_q"));
  return view;
}

}  // namespace gen
