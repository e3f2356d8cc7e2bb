#include "hw/policy/protection_distance.h"

#include <fmt/format.h>

#include <bit>

#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

// RPDs of the lines in one way, a set each.
rtl::Module way_module(const ProtectionDistanceParams& p, const std::string& name) {
  const int sets = p.sets, bits = rpd_bits(p);
  rtl::Module m(name, fmt::format("Remaining protection distances of one way's {} lines.", sets));
  const Expr index = m.input("index", bits_to_number(sets), "set that is looked at");
  const Expr renew = m.input("renew", sets, "set of an accepted load that hits in this way");
  const Expr age = m.input("age", sets, "set of an accepted load that did not");
  const Expr fill = m.input("fill", sets, "set of a line that comes");
  const Expr kill = m.input("kill", sets, "set of a line that goes");
  const Expr flush = m.input("flush", 1, "all lines go");
  const Expr guarded = m.output("guarded", 1, "the line that is looked at is protected");
  const Expr rpd_q = m.reg("rpd_q", sets * bits, 0, "remaining distances");
  const Expr rpd = m.let("rpd", rpd_q.part(index, bits), "of the line that is looked at");
  m.assign(guarded, rtl::any(rpd));
  const Expr older = m.let("older", rpd - lit(bits, 1), "after one more load of the set");
  const Expr distance = lit(bits, static_cast<std::uint64_t>(p.distance));
  m.clocked("Of what comes in one cycle the last has its way.", [&] {
    m.loop("s", sets, [&](const Expr& s) {
      const Expr line = rpd_q.part(s, bits);
      m.when(age.at(s) & guarded, [&] { m.set(line, older); });
      m.when(renew.at(s), [&] { m.set(line, distance); });
      m.when(kill.at(s), [&] { m.set(line, lit(bits, 0)); });
      m.when(fill.at(s), [&] { m.set(line, distance); });
      m.when(flush, [&] { m.set(line, lit(bits, 0)); });
    });
  });
  m.observe("rpd", rpd_q, {{"set", sets}});
  return m;
}

class Builder {
 public:
  Builder(const ProtectionDistanceParams& p, const std::string& name)
      : p_(p),
        index_bits_(bits_to_number(p.sets)),
        m_(name,
           fmt::format("Protects lines of {} sets of {} ways for {} loads of their set (ACI thesis, section "
                       "4.2.5).",
                       p.sets, p.ways, p.distance)) {}

  rtl::Module run() {
    ports();
    events();
    ways();
    m_.section("What a load may do.");
    const Expr free = m_.let("free", ~guarded_ & ~reserved_, "ways that are open");
    m_.assign(open_, free);
    m_.assign(bypass_, probe_ & ~hit_ & ~rtl::any(free));
    return m_;
  }

 private:
  void ports() {
    probe_ = m_.input("probe", 1, "a load is looked up");
    index_ = m_.input("index", index_bits_, "set of the load");
    hit_ = m_.input("hit", 1, "the tag of the load is found");
    way_ = m_.input("way", p_.ways, "in this way");
    reserved_ = m_.input("reserved", p_.ways, "ways whose line is pending or doomed");
    accept_ = m_.input("accept", 1, "the load does not fail");
    fill_ = m_.input("fill", 1, "a line comes, and was not doomed");
    fill_index_ = m_.input("fill_index", index_bits_, "into this set");
    fill_way_ = m_.input("fill_way", p_.ways, "and way");
    kill_ = m_.input("kill", 1, "a store invalidates a line");
    kill_index_ = m_.input("kill_index", index_bits_, "of this set");
    kill_way_ = m_.input("kill_way", p_.ways, "and way");
    flush_ = m_.input("flush", 1, "all lines become invalid");
    bypass_ = m_.output("bypass", 1, "the load goes past the cache");
    open_ = m_.output("open", p_.ways, "ways that may be replaced");
  }

  void events() {
    m_.section("Sets and ways that change.");
    load_set_ = one_hot_of(m_, "load_set", probe_ & accept_, index_, p_.sets, "set of an accepted load");
    fill_set_ = one_hot_of(m_, "fill_set", fill_, fill_index_, p_.sets, "set of a line that comes");
    kill_set_ = one_hot_of(m_, "kill_set", kill_, kill_index_, p_.sets, "set of a line that goes");
    found_ = m_.let("found", way_ & rtl::replicate(p_.ways, hit_), "the way with the tag");
  }

  void ways() {
    const rtl::Module way = way_module(p_, m_.name() + "_way");
    guarded_ = m_.wire("guarded", p_.ways, "ways whose line in the set is protected");
    const auto sets_if = [&](const Expr& sets, const Expr& when) {
      return sets & rtl::replicate(p_.sets, when);
    };
    for (int w = 0; w < p_.ways; ++w)
      m_.instance(way, fmt::format("way{}", w),
                  {{"index", index_},
                   {"renew", sets_if(load_set_, found_.bit(w) & ~reserved_.bit(w))},
                   {"age", sets_if(load_set_, ~found_.bit(w))},
                   {"fill", sets_if(fill_set_, fill_way_.bit(w))},
                   {"kill", sets_if(kill_set_, kill_way_.bit(w))},
                   {"flush", flush_},
                   {"guarded", guarded_.slice(w, w)}},
                  fmt::format("Lines of way {}.", w));
  }

  const ProtectionDistanceParams& p_;
  const int index_bits_;
  rtl::Module m_;
  Expr probe_, index_, hit_, way_, reserved_, accept_, fill_, fill_index_, fill_way_, kill_, kill_index_,
      kill_way_, flush_, bypass_, open_;
  Expr load_set_, fill_set_, kill_set_, found_, guarded_;
};

}  // namespace

int rpd_bits(const ProtectionDistanceParams& p) { return std::bit_width(static_cast<unsigned>(p.distance)); }

void check(const ProtectionDistanceParams& p) {
  require(p.sets >= 2 && p.sets <= 1024 && std::has_single_bit(static_cast<unsigned>(p.sets)), "index.sets",
          p.sets, "must be a power of two from 2 to 1024", "use 32, the sets of the reference cache");
  require(p.ways >= 1 && p.ways <= 16, "geometry.ways", p.ways, "must be from 1 to 16",
          "use 4, the ways of the reference cache");
  require(p.distance >= 1 && p.distance <= 255, "bypass.protection_distance.distance", p.distance,
          "must be from 1 to 255", "use 4, the thesis'");
}

rtl::Module protection_distance(const ProtectionDistanceParams& p, const std::string& name) {
  check(p);
  return Builder(p, name).run();
}

}  // namespace hw
