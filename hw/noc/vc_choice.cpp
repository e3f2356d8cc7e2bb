#include "hw/noc/vc_choice.h"

#include <fmt/format.h>
#include <optional>

#include "hw/noc/islip_search.h"

namespace hw {

using rtl::Expr;

std::string vc_name(const char* stem, int iteration) { return fmt::format("{}_{}", stem, iteration); }

Expr first_vc(rtl::Module& m, const std::string& name, const Expr& request,
              const std::optional<Expr>& pointer, const std::string& doc) {
  const int vcs = request.width();
  if (vcs == 1) return request;
  const Expr grant = m.wire(name, vcs, doc);
  m.instance(islip_search(vcs, Moves::no, true), name + "_search",
             {{"request", request}, {"pointer", *pointer}, {"grant", grant}},
             "The first VC at or after the pointer.");
  return grant;
}

Expr vcs_of_input(const Expr& bits, int i, int vcs) {
  return bits.width() == 1 ? bits : bits.slice((i + 1) * vcs - 1, i * vcs);
}

Expr sum_of(const std::vector<Expr>& terms) {
  Expr all = terms[0];
  for (std::size_t k = 1; k < terms.size(); ++k) all = all | terms[k];
  return all;
}

Expr by_halves(rtl::Module& m, const std::string& name, const std::vector<Expr>& terms,
               const std::string& doc) {
  if (terms.size() < 4) return sum_of(terms);
  const auto half = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
  std::vector<Expr> rest{m.let(name, sum_of({terms.begin(), half}), doc)};
  rest.insert(rest.end(), half, terms.end());
  return sum_of(rest);
}

}  // namespace hw
