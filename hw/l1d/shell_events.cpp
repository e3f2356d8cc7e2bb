// Events of the L1 data cache: a pulse for whatever a counter counts; counting is done outside.
#include <fmt/format.h>

#include "hw/l1d/shell.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

// One output a counter, told in the cycle after.
void L1dShell::events() {
  m_.section("Events, told in the cycle after.");
  std::vector<std::pair<Expr, Expr>> registers;
  std::vector<Expr> outputs;
  for (const auto& [name, now] : all_events()) {
    outputs.push_back(m_.output("event_" + name, now.width(), "counter " + name + ", of the cycle before"));
    registers.emplace_back(m_.reg(fmt::format("event_{}_q", name), now.width(), 0, "counter " + name), now);
  }
  m_.clocked("Events.", [&] {
    for (const auto& [q, now] : registers) m_.set(q, now);
  });
  for (std::size_t i = 0; i < outputs.size(); ++i) m_.assign(outputs[i], registers[i].first);
}

L1dShell::Events L1dShell::all_events() {
  Events list{{"accesses", fire_},
              {"loads", filters_ ? touch_ | bypass_ : touch_},
              {"stores", invalidate_ & (probe_.kind == lit(2, 1))},
              {"atomics", invalidate_ & (probe_.kind == lit(2, 2))},
              {"non_l1", other_ & has_place_ & ~changes_line_}};
  for (const auto& part : {load_events(), split_ ? split_line_events() : line_events(),
                           split_ ? split_fail_events() : fail_events()})
    list.insert(list.end(), part.begin(), part.end());
  return list;
}

Expr L1dShell::missed_number() {
  if (!missed_number_.known())
    missed_number_ = ones_of(m_, "missed_number", missed_, "chunks that are fetched");
  return missed_number_;
}

// Only with sectored or split tags does a miss find chunks of its line.
L1dShell::Events L1dShell::load_events() {
  const int bits = rtl::clog2(static_cast<std::uint64_t>(chunks_) + 1);
  const Expr down = m_.let("fetch_leaves", push_ & load_, "a fetch goes to memory");
  Events list{{"hits", grant_hit_}};
  Expr chunks = lit(bits, static_cast<std::uint64_t>(chunks_));
  if (sectored_) {
    const Expr some =
        m_.let("some_present", rtl::any((split_ ? effective_ : probe_.mask) & (match_valid_ | pending_)),
               "a chunk is valid or on its way");
    list.insert(
        list.end(),
        {{"hit_pending", merge_ & ~fetches_}, {"partial_misses", down & some}, {"misses", down & ~some}});
    chunks = missed_number();
  } else {
    if (filters_)
      chunks =
          mux(bypass_, ones_of(m_, "asked_number", probe_.mask, "chunks that the load asks for"), chunks);
    list.insert(list.end(), {{"hit_pending", merge_}, {"partial_misses", lit(1, 0)}, {"misses", new_entry_}});
  }
  list.insert(list.end(), {{"bypasses", filters_ ? bypass_ : lit(1, 0)},
                           {"requests_down", down},
                           {"chunks_requested", mux(down, chunks, lit(bits, 0))},
                           {"fills", fill_}});
  return list;
}

L1dShell::Events L1dShell::line_events() {
  const int bits = rtl::clog2(static_cast<std::uint64_t>(chunks_) + 1);
  const Expr lost = sectored_ ? ones_of(m_, "evicted_number", evicted_, "valid chunks that a new line evicts")
                              : mux(evicted_, lit(bits, static_cast<std::uint64_t>(chunks_)), lit(bits, 0));
  const Expr held = p_.store_scope == StoreScope::mask && sectored_ ? rtl::any(match_valid_ & probe_.mask)
                                                                    : rtl::any(match_);
  return {{"evicted_lines", rtl::any(evicted_)},
          {"evicted_chunks", lost},
          {"store_invalidations", invalidate_ & mux(entry_match_, ~doomed_, held)},
          {"doomed", doom_ & ~doomed_},
          {"flushes", flush_}};
}

// The first cause in the order line, MSHR entry, merge place, queue place.
L1dShell::Events L1dShell::fail_events() {
  const Expr waits = m_.let("must_wait", load_ & ~is_hit_, "a load that is no hit");
  Expr places = sectored_ ? rtl::any(match_) | can_allocate_ : can_allocate_;
  if (filters_) places = places | filtered_;
  const Expr line = m_.let("no_line", waits & mux(entry_match_, doomed_, ~places), "no line may be had");
  const Expr fetches = filters_ ? places & ~filtered_ : places;
  const Expr mshr = m_.let("no_entry", waits & ~entry_match_ & fetches & ~has_free_, "no MSHR entry");
  const Expr merge = m_.let("no_merge", waits & entry_match_ & ~doomed_ & ~room_, "no merge place");
  const Expr other = m_.let("other_cause", line | mshr | merge, "one of these");
  return {{"reservation_fail_line", line},
          {"reservation_fail_mshr", mshr},
          {"reservation_fail_merge", merge},
          {"reservation_fail_queue", (waits | other_) & ~fire_ & ~other}};
}

}  // namespace hw
