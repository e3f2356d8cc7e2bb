#include "hw/remote/candidates.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/remote/own_core.h"
#include "hw/rtl/optional.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux;

rtl::Module found_cores(const ProbeTableParams& p, const std::string& name) {
  rtl::Module m(name, "The cores that a scout's list still names (DC-L1 thesis, section 3.3.4).");
  const int bits = core_or_none_bits(p.cores);
  std::vector<Expr> found;
  for (int k = 0; k < scout_places(p); ++k)
    found.push_back(m.input(fmt::format("found{}", k), bits, "a core that has the line; all ones for none"));
  const Expr cores = m.output("cores", p.cores, "the set of these cores");
  m.comb("Compare with each number.", [&] {
    m.loop("core", p.cores, [&](const Expr& c) {
      rtl::Optional named;
      for (const Expr& f : found) named |= f == c.slice(bits - 1, 0);
      m.set(cores.at(c), *named);
    });
  });
  return m;
}

rtl::Module candidate_list(const ProbeTableParams& p, const std::string& name) {
  rtl::Module m(
      name,
      "The cores of a set in the order in which a leader searches them: from the next one upward, and "
      "around (DC-L1 thesis, section 3.3.4).");
  const int n = p.cores, bits = core_or_none_bits(n), places = most_candidates(p), next = (p.core + 1) % n;
  OwnCore own(m, p.core, n);
  const Expr cores = m.input("cores", n, "the set");
  std::vector<Expr> targets;
  for (int k = 0; k < places; ++k)
    targets.push_back(m.output(fmt::format("target{}", k), bits, "core that is searched; all ones for none"));
  const auto turned = [&](const Expr& set, int by) {  // bit `by` becomes bit 0
    return by == 0 ? set : cat({set.slice(by - 1, 0), set.slice(n - 1, by)});
  };
  // Of a core that is known the set is turned by wires; of any other those behind it go first.
  std::optional<Expr> behind;
  if (own.is_input()) behind = own.behind();
  Expr left = own.is_input() ? cores : m.let("left0", turned(cores, next), "from the next core on");
  for (int k = 0; k < places; ++k) {
    Expr from = left;
    if (behind) {
      const Expr ahead = m.let(fmt::format("ahead{}", k), left & *behind, "candidates behind this core");
      from = m.let(fmt::format("from{}", k), mux(rtl::any(ahead), ahead, left), "one of these is next");
    }
    const Expr first = m.let(fmt::format("first{}", k), from & (~from + lit(n, 1)),
                             "the first that is left, one-hot, by a carry");
    const Expr core = own.is_input() ? first
                                     : m.let(fmt::format("core{}", k), turned(first, (n - next) % n),
                                             "the core, one-hot by number");
    const Expr number = number_of(m, fmt::format("number{}", k), core, "number of the core");
    m.assign(targets[static_cast<std::size_t>(k)],
             mux(rtl::any(left), rtl::zext(number, bits), rtl::ones(bits)));
    if (k + 1 < places) left = m.let(fmt::format("left{}", k + 1), left & ~first, "the others");
  }
  return m;
}

}  // namespace hw
