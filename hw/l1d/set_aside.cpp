#include "hw/l1d/set_aside.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::mux;

SetAside::SetAside(rtl::Module m, const Expr& probe_free) : m_(m), probe_free_(probe_free) {
  fails = m_.wire("fails", 1, "the request in the tag-lookup stage ends in a reservation fail");
  open = m_.wire("probe_open", 1, "the tag-lookup stage takes the request in front of it");
  valid = m_.reg("aside_q", 1, 0, "a request is parked, and a snoop in the tag-lookup stage");
  m_.observe("aside", valid);
}

void SetAside::behind(const Request& next) {
  const Expr& snoop = next[extra::snoop];
  m_.assign(open, (probe_free_ & ~valid) | (fails & snoop));
  const Expr passes = m_.let("snoop_passes", fails & next.valid & snoop,
                             "a snoop passes the request in the tag-lookup stage");
  moves = m_.let("probe_moves", probe_free_ | passes,
                 "the tag-lookup stage takes the next request, if there is one");
  m_.clocked("Whether a request is parked: until the snoop leaves.",
             [&] { m_.set(valid, passes | (valid & ~probe_free_)); });
}

Expr SetAside::keep(const std::string& name, const Expr& of_probe, const Expr& of_next) {
  const Expr q =
      m_.data_reg(fmt::format("aside_{}_q", name), of_probe.width(), name + " of the parked request");
  kept_.emplace_back(q, of_probe);
  return mux(valid, q, of_next);
}

Request SetAside::coming(const Request& probe, const Request& next, const Expr& stayed_tag, bool with_set) {
  Request c = next;
  c.valid = next.valid | valid;
  c.kind = keep("kind", probe.kind, next.kind);
  c.mask = keep("mask", probe.mask, next.mask);
  for (std::size_t i = 0; i < c.beside.size(); ++i) {
    auto& [name, value] = c.beside[i];
    // Snoops and invalidates do not fail, and so are never parked.
    const bool fails_never = name == extra::snoop.name || name == extra::drop.name;
    value = fails_never ? value & ~valid : keep(name, probe.beside[i].second, value);
  }
  if (with_set)
    c.set_index = m_.let("coming_set", keep("set", probe.set_index, next.set_index),
                         "set of the request that enters: of the parked one, or else of the next");
  c.tag = m_.let("coming_tag", mux(valid, stayed_tag, next.tag), "tag of the request that enters");
  m_.clocked("The request in the tag-lookup stage, for when a snoop passes it.", [&] {
    m_.when(~valid, [&] {
      for (const auto& [q, value] : kept_) m_.set(q, value);
    });
  });
  m_.observe("aside_kind", kept_[0].first);
  m_.observe("aside_mask", kept_[1].first);
  return c;
}

}  // namespace hw
