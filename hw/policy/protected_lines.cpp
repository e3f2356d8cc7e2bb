#include "hw/policy/protected_lines.h"

#include <fmt/format.h>

#include <bit>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

// RPDs of the lines in one way, a set each. `late`: a row is written in the cycle after its load or store.
rtl::Module way_module(const ProtectionDistanceParams& p, const std::string& name, bool late) {
  const int sets = p.sets, bits = rpd_bits(p);
  rtl::Module m(name, fmt::format("Remaining protection distances of one way's {} lines.", sets));
  const Expr read = m.input("read", bits_to_number(sets), "set that is looked at");
  const Expr load =
      m.input("load", sets, late ? "set of a load or store of the cycle before" : "set of an accepted load");
  const Expr left =
      m.input("left", bits, late ? "distance that it has left" : "distance that the load leaves");
  const Expr fill = m.input("fill", sets, "set of a line that comes");
  std::optional<Expr> kill;
  if (!late) kill = m.input("kill", sets, "set of a line that goes");
  const Expr flush = m.input("flush", 1, "all lines go");
  const Expr rpd = m.output("rpd", bits, "of the line that is looked at");
  const Expr rpd_q = m.reg("rpd_q", sets * bits, 0, "remaining distances");
  m.assign(rpd, rpd_q.part(read, bits));
  m.clocked("Of what comes in one cycle the last has its way.", [&] {
    m.loop("s", sets, [&](const Expr& s) {
      const Expr line = rpd_q.part(s, bits);
      m.when(load.at(s), [&] { m.set(line, left); });
      if (kill) m.when(kill->at(s), [&] { m.set(line, lit(bits, 0)); });
      m.when(fill.at(s), [&] { m.set(line, protection_distance_of(m, p)); });
      m.when(flush, [&] { m.set(line, lit(bits, 0)); });
    });
  });
  if (!late) {
    m.observe("rpd", rpd_q, {{"set", sets}});
    return m;
  }
  std::vector<Expr> lines;  // as they are with the row that is written
  for (int s = sets - 1; s >= 0; --s)
    lines.push_back(mux(load.bit(s), left, rpd_q.slice((s + 1) * bits - 1, s * bits)));
  m.observe("rpd", rtl::cat(lines), {{"set", sets}});
  return m;
}

}  // namespace

int rpd_bits(const ProtectionDistanceParams& p) { return std::bit_width(static_cast<unsigned>(p.distance)); }

Expr protection_distance_of(rtl::Module& m, const ProtectionDistanceParams& p) {
  return m.constant("PROTECTION_DISTANCE", rpd_bits(p), static_cast<std::uint64_t>(p.distance));
}

LineEvents line_event_inputs(rtl::Module& m, const ProtectionDistanceParams& p, bool kills_elsewhere) {
  const int index_bits = bits_to_number(p.sets);
  LineEvents e;
  e.probe = m.input("probe", 1, "a load is looked up");
  e.index = m.input("index", index_bits, "set of the load");
  e.hit = m.input("hit", 1, "the tag of the load is found");
  e.way = m.input("way", p.ways, "in this way");
  e.reserved = m.input("reserved", p.ways, "ways whose line is pending or poisoned");
  e.accept = m.input("accept", 1, "the load does not fail");
  e.fill = m.input("fill", 1, "a line comes, and was not poisoned");
  e.fill_index = m.input("fill_index", index_bits, "into this set");
  e.fill_way = m.input("fill_way", p.ways, "and way");
  e.kill = m.input("kill", 1, "a store invalidates a line");
  if (kills_elsewhere) e.kill_index = m.input("kill_index", index_bits, "of this set");
  e.kill_way = m.input("kill_way", p.ways, "and way");
  e.flush = m.input("flush", 1, "all lines become invalid");
  return e;
}

ProtectedLines::ProtectedLines(rtl::Module& m, const ProtectionDistanceParams& p, const LineEvents& events,
                               const std::optional<LateDistances>& late)
    : m_(m), p_(p), e_(events), late_(late) {
  m.section("Sets and ways that change.");
  if (!late)
    load_set_ = one_hot_of(m, "load_set", e_.probe & e_.accept, e_.index, p.sets, "set of an accepted load");
  fill_set_ = one_hot_of(m, "fill_set", e_.fill, e_.fill_index, p.sets, "set of a line that comes");
  if (!late)
    kill_set_ = one_hot_of(m, "kill_set", e_.kill, e_.kill_index.value(), p.sets, "set of a line that goes");
  found_ = m.let("found", e_.way & rtl::replicate(p.ways, e_.hit), "the way with the tag");
}

Expr ProtectedLines::after_load(int way, const Expr& rpd) const {
  const Expr less = rpd - rtl::zext(rtl::any(rpd), rpd.width());
  return mux(found_.bit(way), mux(e_.reserved.bit(way), rpd, protection_distance_of(m_, p_)), less);
}

std::vector<ProtectedLines::Way> ProtectedLines::add(const std::vector<Expr>& row, const Expr& read) {
  const rtl::Module way = way_module(p_, m_.name() + "_way", late_.has_value());
  const auto sets_if = [&](const Expr& sets, const Expr& when) {
    return sets & rtl::replicate(p_.sets, when);
  };
  std::vector<Way> ways;
  for (int w = 0; w < p_.ways; ++w) {
    const auto at = static_cast<std::size_t>(w);
    const std::string name = fmt::format("way{}", w);
    const Expr shown = m_.wire(name + "_rpd", rpd_bits(p_), "distance that the way shows");
    const Expr before = row.empty() ? shown : row[at];
    const Expr left = m_.let(name + "_left", after_load(w, before), "distance that an accepted load leaves");
    std::vector<std::pair<std::string, Expr>> pins{{"read", read},
                                                   {"load", late_ ? late_->set : load_set_},
                                                   {"left", late_ ? late_->rpd[at] : left},
                                                   {"fill", sets_if(fill_set_, e_.fill_way.bit(w))}};
    if (!late_) pins.emplace_back("kill", sets_if(kill_set_, e_.kill_way.bit(w)));
    pins.insert(pins.end(), {{"flush", e_.flush}, {"rpd", shown}});
    m_.instance(way, name, pins, fmt::format("Lines of way {}.", w));
    ways.push_back({shown, left});
  }
  return ways;
}

void ProtectedLines::decide(const std::vector<Expr>& row, const Expr& bypass, const Expr& open) {
  m_.section("Ways that a load may take.");
  std::vector<Expr> guarded;
  for (const Expr& rpd : row) guarded.insert(guarded.begin(), rtl::any(rpd));
  const Expr free = m_.let("free", ~rtl::cat(guarded) & ~e_.reserved, "ways that are open");
  m_.assign(open, free);
  m_.assign(bypass, e_.probe & ~e_.hit & ~rtl::any(free));
}

}  // namespace hw
