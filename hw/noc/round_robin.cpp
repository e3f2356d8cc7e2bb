#include "hw/noc/round_robin.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/rtl/condition.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate;

constexpr int first_grouped = 16;  // inputs from which groups are smaller and faster than one long prefix

// By area and delay of 16 to 128 inputs: longer groups pay when there are many.
int group_of(int inputs) { return inputs > 64 ? 10 : 8; }
int groups_of(int inputs) { return (inputs + group_of(inputs) - 1) / group_of(inputs); }

// Per position, whether one of the positions below it is set.
Expr below(rtl::Module& m, const std::string& name, const Expr& bits, const std::string& what) {
  const int n = bits.width() - 1;  // nobody stands above the last position
  Expr reach = bits;
  for (int by = 1; by < n; by *= 2)
    reach = m.let(fmt::format("{}_{}", name, 2 * by),
                  reach.slice(n - 1, 0) | cat({reach.slice(n - 1 - by, 0), lit(by, 0)}),
                  fmt::format("{}, here or up to {} below", what, 2 * by - 1));
  return cat({reach.slice(n - 1, 0), lit(1, 0)});
}

struct Chosen {
  Expr grant, before;  // `before`: the positions behind the grant
};

// The first request in the mask, or without one the first of all; both searches run side by side.
Chosen choose(rtl::Module& m, const std::string& prefix, const std::string& what, const Expr& request,
              const Expr& mask) {
  const auto name = [&](const char* stem) { return prefix + stem; };
  const int n = request.width();
  const Expr ahead = m.let(name("ahead"), request & mask, what + " at or after the pointer");
  const Expr wraps =
      m.let(name("wraps"), ~rtl::any(ahead), "none of them: the search starts again at position 0");
  const Expr below_ahead = below(m, name("ahead_within"), ahead, what + " at or after the pointer");
  const Expr below_any = below(m, name("any_within"), request, what);
  const Expr all = replicate(n, wraps);
  const Expr before =
      m.let(name("behind"), below_ahead | (below_any & all), "positions behind the chosen one");
  return {request & (mask | all) & ~before, before};
}

// A mask whose position 0 is not kept when no pointer stays there.
Expr widened(const Expr& mask, bool may_stay) { return may_stay ? mask : cat({mask, lit(1, 0)}); }

RoundRobin flat(rtl::Module& m, const Expr& request, const Expr& pointer, bool may_stay) {
  const int n = request.width();
  const Chosen c = choose(m, "", "requests", request, widened(pointer, may_stay));
  const Expr grant = m.let("chosen", c.grant, "one-hot");
  if (may_stay) return {grant, rtl::any(request), c.before, c.before | grant};
  return {grant, rtl::any(request), c.before.slice(n - 1, 1), {}};
}

// The group of the last grant may hold a request at or after the pointer; else the next group with a request
// is taken, and the first of its requests.
RoundRobin grouped(rtl::Module& m, const Expr& lines, const Expr& pointer, bool may_stay) {
  const int n = lines.width(), group = group_of(n), groups = groups_of(n), padded = groups * group;
  const int local = may_stay ? group : group - 1;  // bits of the pointer within its group
  const Expr request =
      m.let("padded", rtl::zext(lines, padded), fmt::format("requests as {} groups of {}", groups, group));
  const Expr behind = m.let("groups_behind", cat({pointer.slice(pointer.width() - 1, local), lit(1, 0)}),
                            "groups behind the pointer's");
  const Expr own = m.let("own_group", cat({lit(1, 1), behind.slice(groups - 1, 1)}) & ~behind,
                         "the pointer's group, one-hot");
  const Expr asking = m.wire("asking", groups, "groups with a request");
  const Expr own_request = m.wire("own_request", group, "requests of the pointer's group");
  m.comb("Look into each group, and into the pointer's.", [&] {
    m.set(own_request, lit(group, 0));
    m.loop("member", groups, [&](const Expr& g) {
      m.set(asking.at(g), rtl::any(request.part(g, group)));
      m.set(own_request, own_request | (request.part(g, group) & replicate(group, own.at(g))));
    });
  });
  const Expr own_ahead = m.let("own_ahead", own_request & widened(pointer.slice(local - 1, 0), may_stay),
                               "requests at or after the pointer");
  const Expr stays = m.let("stays", rtl::any(own_ahead), "the pointer's group is served");
  const Expr own_below = m.let("own_below", below(m, "own_within", own_ahead, "such a request"),
                               "positions behind the first of them");

  m.section("Else the next group.");
  const Chosen other = choose(m, "group_", "asking groups", asking, behind);
  const Expr other_group = m.let("other_group", other.grant, "one-hot");
  const Expr passing =
      below_in_groups(m, "passing", request, group, "positions behind a request of their group");
  const Expr other_request = m.wire("other_request", group, "requests of that group");
  const Expr other_below = m.wire("other_below", group, "positions behind the first of them");
  m.comb("Take the requests of the next group.", [&] {
    m.set(other_request, lit(group, 0));
    m.set(other_below, lit(group, 0));
    m.loop("taken", groups, [&](const Expr& g) {
      m.set(other_request, other_request | (request.part(g, group) & replicate(group, other_group.at(g))));
      m.set(other_below, other_below | (passing.part(g, group) & replicate(group, other_group.at(g))));
    });
  });

  m.section("The choice.");
  const Expr served = m.let("served", rtl::mux(stays, own, other_group), "group, one-hot");
  const Expr passed = m.let("passed", rtl::mux(stays, own_below, other_below),
                            "positions of the group behind the chosen one");
  const Expr place = m.let("place", rtl::mux(stays, own_ahead, other_request) & ~passed,
                           "position within the group, one-hot");
  const Expr grant = m.wire("chosen", padded, "one-hot");
  m.comb("The position in its group.", [&] {
    m.loop("group", groups,
           [&](const Expr& g) { m.set(grant.part(g, group), place & replicate(group, served.at(g))); });
  });
  if (padded > n) m.unused("unused_chosen", grant.slice(padded - 1, n), "no inputs");
  const Expr next_groups = rtl::mux(stays, behind.slice(groups - 1, 1), other.before.slice(groups - 1, 1));
  RoundRobin r{grant.slice(n - 1, 0), rtl::any(asking), {}, {}};
  r.next = may_stay ? cat({next_groups, passed}) : cat({next_groups, passed.slice(group - 1, 1)});
  if (may_stay) r.stay = cat({next_groups, passed | place});
  return r;
}

}  // namespace

int pointer_bits(int inputs, bool may_stay) {
  if (inputs == 1) return 0;
  return (inputs < first_grouped ? inputs - 1 : groups_of(inputs) - 1 + group_of(inputs) - 1) + may_stay;
}

int pointer_group(int inputs) { return inputs < first_grouped ? 0 : group_of(inputs); }

// In groups, the low bits are the positions of the last grant's group behind its own, the high ones the
// groups behind it; with neither, the search starts again at position 0.
rtl::Expr pointer_position(const rtl::Expr& pointer, int inputs, int scale, int width) {
  const auto position = [&](int at) {
    return lit(width, at < inputs ? static_cast<std::uint64_t>(at) * static_cast<std::uint64_t>(scale) : 0);
  };
  // What follows from the first of `count` bits from `low` on that is set, they standing for 1 and up.
  const auto first_of = [&](int low, int count, const Expr& none, const auto& found) {
    Expr all = none;
    for (int k = count; k >= 1; --k) all = rtl::mux(pointer.bit(low + k - 1), found(k), all);
    return all;
  };
  const int group = pointer_group(inputs);
  if (group == 0) return first_of(0, inputs - 1, position(0), position);
  const auto in_group = [&](int own) {
    return first_of(0, group - 1, position((own + 1) * group),
                    [&](int place) { return position(own * group + place); });
  };
  const int groups = groups_of(inputs);
  return first_of(group - 1, groups - 1, in_group(groups - 1),
                  [&](int behind) { return in_group(behind - 1); });
}

RoundRobin round_robin(rtl::Module& m, const rtl::Expr& request, const rtl::Expr& pointer, bool may_stay) {
  if (request.width() == 1) return {request, request, {}, {}};
  return request.width() < first_grouped ? flat(m, request, pointer, may_stay)
                                         : grouped(m, request, pointer, may_stay);
}

// A request yields to those below it that the pointer does not part from it and, when the pointer has passed
// it, to all that are ahead.
Expr direct_choice(rtl::Module& m, const Expr& request, const Expr& behind, const rtl::Condition& first,
                   bool pairwise) {
  const int n = request.width();
  const Expr ahead = m.let("ahead", request.slice(n - 1, 1) & behind,
                           "requests at or after the pointer, from position 1 on");
  const auto some = [](const std::vector<Expr>& terms) {
    Expr sum = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k) sum = sum | terms[k];
    return sum;
  };
  std::vector<Expr> wins;
  for (int i = n - 1; i >= 0; --i) {
    const rtl::Condition passed = i > 0 ? rtl::Condition(~behind.bit(i - 1)) : ~first;
    std::vector<Expr> wrapped, yields;  // to whom when the pointer has passed, and in any case
    if (i < n - 1) wrapped.push_back(rtl::any(ahead.slice(n - 2, i)));
    if (i > 0) {
      if (first.can_be()) yields.push_back(request.bit(0) & first);
      if (i > 1) {
        const auto lower = [&](const Expr& x, int from) { return x.slice(i - 2 + from, from); };
        yields.push_back(
            pairwise ? rtl::any(lower(request, 1) & (lower(behind, 0) | replicate(i - 1, passed.when())))
                     : rtl::any(lower(ahead, 0)));
      }
      wrapped.push_back(pairwise ? request.bit(0) : rtl::any(request.slice(i - 1, 0)));
    }
    yields.push_back(passed & some(wrapped));
    wins.push_back(m.let(fmt::format("wins_{}", i), request.bit(i) & ~some(yields),
                         fmt::format("request {} comes first", i)));
  }
  return cat(wins);
}

}  // namespace hw
