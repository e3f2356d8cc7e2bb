#include "hw/mshr/loads_in_order.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::zext;

// A free entry counts none, so that a new one does.
void count_loads(TargetsPart& f, bool joins_soon) {
  rtl::Module& m = f.m;
  const int n = f.entries, bits = f.place_width;
  const NewLoad& load = f.ports.load;
  m.section("Loads of each entry.");
  const Expr more_q = m.reg("more_q", n * bits, 0, "loads that wait in each entry besides its first");
  const Expr joined = m.let("joined", *load.match_bits & f.each(load.merge), "the entry that a load joins");
  m.clocked("Loads that join.", [&] {
    m.loop("count_of", n, [&](const Expr& e) {
      const Expr more = more_q.part(e, bits);
      const Expr next =
          joins_soon ? more + zext(joined.at(e), bits) : mux(joined.at(e), more + lit(bits, 1), more);
      m.set(more, next & replicate(bits, load.in_use.at(e)));
    });
  });
  m.assign(*f.ports.out.more, more_q);
  const Expr full = m.constant("FULL", bits, static_cast<std::uint64_t>(f.merges - 1),
                               "loads of a full entry besides its first");
  m.comb("Compare all counts.", [&] {
    m.loop("e", n, [&](const Expr& e) { m.set(f.ports.out.mergeable.at(e), more_q.part(e, bits) != full); });
  });
}

Expr slot_of_load(TargetsPart& f) {
  rtl::Module& m = f.m;
  const int bits = f.place_width;
  EntryValues values(f);
  const Expr more =
      values.add("matched_more", *f.ports.out.more, bits, "loads of the matched entry besides its first");
  values.gather("Of the entry that matched.", "of_match", rtl::Condition::always(), *f.ports.load.match_bits);
  return m.let("new_slot", (more + lit(bits, 1)) & ~replicate(bits, f.ports.load.allocate),
               "slot of the new MSHR target");
}

// Loads that are left in each entry: those in front of the MSHR target on offer are answered.
void show_counts(TargetsPart& f, const Expr& slot_q) {
  const int bits = f.place_width, wide = f.count_width;
  std::vector<Expr> counts;
  for (int e = f.entries - 1; e >= 0; --e) {
    const Expr more = f.ports.out.more->slice((e + 1) * bits - 1, e * bits);
    const Expr answered = slot_q & replicate(bits, f.ports.stage.bits.bit(e));
    counts.push_back(zext(more, wide) + lit(wide, 1) - zext(answered, wide));
  }
  f.m.observe("count", rtl::cat(counts), {{"entry", f.entries}});
}

// The MSHR targets of the entry in the replay stage, from the first to the last.
Expr slot_behind_target(TargetsPart& f) {
  rtl::Module& m = f.m;
  const int bits = f.place_width;
  const StageOfTargets& stage = f.ports.stage;
  m.section("The MSHR target on offer.");
  const Expr slot_q = m.data_reg("slot_q", bits, "slot of the MSHR target");
  const Expr last_slot_q = m.data_reg("last_slot_q", bits, "slot of the last one of its entry");
  const Expr behind = m.let("slot_behind", slot_q + lit(bits, 1), "the slot behind that MSHR target");
  m.clocked("From the first MSHR target of an entry to the last.", [&] {
    m.when(stage.next_found, [&] {
       m.set(slot_q, lit(bits, 0));
       m.set(last_slot_q, *stage.next_more);
     }).otherwise([&] { m.when(stage.granted, [&] { m.set(slot_q, behind); }); });
  });
  m.assign(f.ports.out.last_target, slot_q == last_slot_q);
  show_counts(f, slot_q);
  return behind;
}

}  // namespace

Slots slots_in_order(TargetsPart& f, bool joins_soon) {
  count_loads(f, joins_soon);
  const Expr of_load = slot_of_load(f);
  return {of_load, slot_behind_target(f)};
}

}  // namespace hw
