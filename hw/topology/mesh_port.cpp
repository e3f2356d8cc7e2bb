#include "hw/topology/mesh_port.h"

#include <fmt/format.h>
#include <optional>

#include <map>

#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::any, rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

class MeshPortBuilder {
 public:
  MeshPortBuilder(const MeshPortParams& p, const std::string& name)
      : p_(p),
        vc_bits_(number_bits(p.router.vcs)),
        vcs_(p.classes[0].vcs),
        m_(name,
           "A node's end of a mesh: classes of messages on one link, on VCs of their own (DC-L1 thesis, "
           "chapter 4).") {}

  rtl::Module run() {
    for (std::size_t c = 0; c < p_.classes.size(); ++c) {
      FlitShape taken = p_.classes[c];
      taken.destination_bits = 0;
      taken.granted = false;
      if (p_.sends[c])
        senders_.emplace(c, Link(m_, fmt::format("send{}", c), p_.classes[c], Link::Made::sink_ports));
      if (p_.takes[c]) sinks_.emplace(c, Link(m_, fmt::format("take{}", c), taken, Link::Made::sender_ports));
    }
    FlitShape leaving = p_.router;
    if (!senders_.empty()) join(Link(m_, "to_router", p_.router, Link::Made::sender_ports));
    leaving.destination_bits = 0;
    if (!sinks_.empty()) part(Link(m_, "from_router", leaving, Link::Made::sink_ports));
    return m_;
  }

 private:
  // The VC of the router for one of a class, and whether one of the router's is of the class.
  Expr widened(std::size_t c, const Link& link, LinkField field) const {
    const Expr first = lit(vc_bits_, static_cast<unsigned>(c) * static_cast<unsigned>(vcs_));
    if (vcs_ == 1) return first;
    const Expr vc = link[field].width() < vc_bits_ ? zext(link[field], vc_bits_) : link[field];
    return c == 0 ? vc : first + vc;
  }
  Expr of_class(std::size_t c, const Expr& vc) const {
    const Expr second = lit(vc_bits_, static_cast<unsigned>(vcs_));
    return c == 0 ? vc < second : vc >= second;
  }
  // That VC among those of the class.
  Expr narrowed(std::size_t c, const Expr& vc) const {
    const int bits = number_bits(vcs_);
    const unsigned first = static_cast<unsigned>(c) * static_cast<unsigned>(vcs_) % (1u << bits);
    const Expr low = bits < vc_bits_ ? vc.slice(bits - 1, 0) : vc;
    return first ? low - lit(bits, first) : low;
  }

  // Flits of the classes alternate.
  void join(const Link& to) {
    m_.section("Flits to the router.");
    std::optional<Expr> second;  // the flit is of class 1
    if (senders_.size() == 2) {
      const Expr turn = m_.reg("pointer_q", 1, 0, "the class that goes first, of two");
      const Expr asks0 = senders_.at(0)["valid"], asks1 = senders_.at(1)["valid"];
      second = m_.let("second", asks1 & (turn | ~asks0), "the flit is one of class 1");
      m_.clocked("The class of the last flit has the lower priority.",
                 [&] { m_.when(asks0 | asks1, [&] { m_.set(turn, ~*second); }); });
      m_.assign(senders_.at(0)["grant"], ~*second);
      m_.assign(senders_.at(1)["grant"], *second);
    } else {
      m_.assign(senders_.begin()->second["grant"], lit(1, 1));
    }
    const auto either = [&](LinkField field) {
      const Expr last = padded(senders_.rbegin()->second[field], to[field].width());
      return second ? mux(*second, last, padded(senders_.begin()->second[field], to[field].width())) : last;
    };
    rtl::Optional valid;
    for (const auto& [c, link] : senders_) valid |= link["valid"];
    m_.assign(to["valid"], *valid);
    for (const LinkField field : {LinkField("head"), LinkField("tail"), LinkField("destination"),
                                  LinkField("side"), LinkField("data")})
      m_.assign(to[field], either(field));
    const auto vc = [&](const auto& sender) { return widened(sender.first, sender.second, "vc"); };
    m_.assign(to["vc"],
              second ? mux(*second, vc(*senders_.rbegin()), vc(*senders_.begin())) : vc(*senders_.begin()));
    for (const auto& [c, link] : senders_) {
      m_.assign(link["credit_valid"], to["credit_valid"] & of_class(c, to["credit_vc"]));
      if (vcs_ > 1) m_.assign(link["credit_vc"], narrowed(c, to["credit_vc"]));
    }
  }

  static Expr padded(const Expr& e, int width) { return e.width() < width ? zext(e, width) : e; }

  // Flits of the router go to the receiver of their class.
  void part(const Link& from) {
    m_.section("Flits of the router.");
    std::vector<Expr> left_out;
    for (const auto& [c, link] : sinks_) {
      const Expr mine = sinks_.size() == 2 ? from["valid"] & of_class(c, from["vc"]) : from["valid"];
      m_.assign(link["valid"], mine);
      if (vcs_ > 1) m_.assign(link["vc"], narrowed(c, from["vc"]));
      for (const LinkField field : {LinkField("head"), LinkField("tail"), LinkField("data")})
        m_.assign(link[field], from[field]);
      const int bits = p_.classes[c].side_bits;
      m_.assign(link["side"], bits < from["side"].width() ? rtl::trunc(from["side"], bits) : from["side"]);
    }
    unread(from);
    m_.section("Slots that are free again.");
    if (sinks_.size() == 1) {
      const auto& [c, link] = *sinks_.begin();
      m_.assign(from["credit_valid"], link["credit_valid"]);
      m_.assign(from["credit_vc"], widened(c, link, "credit_vc"));
      return;
    }
    merge_credits(from);
  }

  // What no receiver looks at.
  void unread(const Link& from) {
    int most = 0;
    for (const auto& [c, link] : sinks_) most = std::max(most, p_.classes[c].side_bits);
    if (sinks_.size() == 1) m_.unused("unused_vc", from["vc"], "all flits are of one class");
    if (const int width = from["side"].width(); most < width)
      m_.unused("unused_side", from["side"].slice(width - 1, most), "of the other class");
  }

  // Both receivers may free a slot in one cycle, and a link carries one credit.
  void merge_credits(const Link& from) {
    const Expr waits = m_.wire("waits", 2, "classes with a credit in front"),
               fronts = m_.wire("fronts", 2 * vc_bits_, "VCs of those credits"),
               goes = m_.wire("goes", 2, "class whose credit leaves, one-hot"),
               not_full = m_.wire("not_full", 2, "queues that are not full");
    m_.unused("unused_not_full", not_full, "there are as many slots as credits");
    for (const auto& [c, link] : sinks_) {
      const int n = static_cast<int>(c);
      m_.instance(fifo(vcs_ * p_.vc_depth, vc_bits_), fmt::format("credits{}", c),
                  {{"in_valid", link["credit_valid"]},
                   {"in_ready", not_full.bit(n)},
                   {"in_data", widened(c, link, "credit_vc")},
                   {"out_valid", waits.bit(n)},
                   {"out_ready", goes.bit(n)},
                   {"out_data", fronts.slice((n + 1) * vc_bits_ - 1, n * vc_bits_)}},
                  fmt::format("Credits of class {}.", c));
    }
    const Expr turn = m_.reg("credit_next_q", 1, 0, "the class whose credit goes first, of two");
    const Expr second =
        m_.let("second_credit", waits.bit(1) & (turn | ~waits.bit(0)), "the credit is of class 1");
    m_.assign(goes, rtl::cat({second, ~second}));
    m_.clocked("The class of the last credit has the lower priority.",
               [&] { m_.when(any(waits), [&] { m_.set(turn, ~second); }); });
    m_.assign(from["credit_valid"], any(waits));
    m_.assign(from["credit_vc"],
              mux(second, fronts.slice(2 * vc_bits_ - 1, vc_bits_), fronts.slice(vc_bits_ - 1, 0)));
  }

  const MeshPortParams& p_;
  const int vc_bits_, vcs_;
  rtl::Module m_;
  std::map<std::size_t, Link> senders_, sinks_;
};

}  // namespace

rtl::Module mesh_port(const MeshPortParams& p, const std::string& name) {
  return MeshPortBuilder(p, name).run();
}

}  // namespace hw
