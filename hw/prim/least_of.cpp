#include "hw/prim/least_of.h"

#include <fmt/format.h>

#include "hw/prim/table.h"

namespace hw {
namespace {

using rtl::Expr;

// A pair of counts is compared twice in the text, in the same words, and once in gates.
rtl::Module one_of(int n, int width) {
  rtl::Module m(fmt::format("least_of_{}_w{}_one", n, width),
                fmt::format("Whether one of {} counts is the smallest; of equal ones the lowest is.", n));
  const Expr own = m.input("own", width, "count of this one");
  const Expr counts = m.input("counts", n * width, "all counts");
  const Expr below = m.input("below", n, "candidates below this one");
  const Expr above = m.input("above", n, "candidates above this one");
  const Expr candidates = m.input("candidates", n, "the candidates");
  const Expr least = m.output("least", 1, "no candidate comes before this one");
  const Expr ahead = m.wire("ahead", n, "candidates that come before this one");
  m.comb("Compare with each.", [&] {
    m.loop("other", n, [&](const Expr& o) {
      const Expr theirs = counts.part(o, width);
      m.set(ahead.at(o), (below.at(o) & ~(own < theirs)) | (above.at(o) & (theirs < own)));
    });
  });
  m.assign(least, ~rtl::any(ahead & candidates));
  return m;
}

// All pairs are compared at once, beside what says who is a candidate.
rtl::Module all_of(int n, int width) {
  rtl::Module m(fmt::format("least_of_{}_w{}", n, width),
                fmt::format("The candidate with the smallest of {} counts. All pairs are compared at once, "
                            "beside what says who is a candidate, which is known late.",
                            n));
  const Expr counts = m.input("counts", n * width, "all counts");
  const Expr candidates = m.input("candidates", n, "the candidates");
  const Expr least = m.output("least", n, "the smallest, the lowest of several, one-hot, or 0");
  const Expr below = table(
      m, "below", n, n, [](int row, int column) { return column < row; },
      "for each count, the candidates below it");
  const Expr above = table(
      m, "above", n, n, [](int row, int column) { return column > row; },
      "for each count, the candidates above it");
  const Expr first = m.wire("first", n, "counts that no candidate comes before");
  const rtl::Module one = one_of(n, width);
  m.repeat("count", n, "A count each.", [&](const Expr& e) {
    m.instance(one, "against_others",
               {{"own", counts.part(e, width)},
                {"counts", counts},
                {"below", below.part(e, n)},
                {"above", above.part(e, n)},
                {"candidates", candidates},
                {"least", first.at(e)}},
               "Against all others.");
  });
  m.assign(least, first & candidates);
  return m;
}

}  // namespace

Expr least_of(rtl::Module& m, const std::string& name, const Expr& counts, const Expr& candidates,
              const std::string& doc) {
  const int n = candidates.width();
  if (n == 1) return candidates;
  const Expr least = m.wire(name, n, doc);
  m.instance(all_of(n, counts.width() / n), name + "_search",
             {{"counts", counts}, {"candidates", candidates}, {"least", least}},
             "Compare the counts of the candidates.");
  return least;
}

}  // namespace hw
