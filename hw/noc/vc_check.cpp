#include "hw/noc/vc_check.h"

#include <fmt/format.h>
#include <optional>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

int count_bits(const CrossbarParams& p) { return rtl::clog2(static_cast<std::uint64_t>(p.vc_depth) + 1); }

// A number names one of n.
Expr exists(const Expr& number, int n) {
  return n == 1 << number.width() ? lit(1, 1) : number < lit(number.width(), static_cast<std::uint64_t>(n));
}

// Of a flit or a credit; none where there is one VC.
using Vc = std::optional<Expr>;

// The part of a vector that belongs to a VC.
Expr of_vc(const Expr& vector, const Vc& vc, int width) {
  return vc ? vector.part_below(*vc, width) : vector;
}

// Counts per VC, one up and one down.
void count(rtl::Module& m, const CrossbarParams& p, const Expr& counts, const Expr& up, const Vc& up_vc,
           const Expr& down, const Vc& down_vc, const std::string& doc) {
  const int width = count_bits(p);
  m.clocked(doc, [&] {
    if (!up_vc) {
      m.set(counts, counts + rtl::zext(up, width) - rtl::zext(down, width));
      return;
    }
    m.loop("each", p.vcs, [&](const Expr& v) {
      const Expr number = v.slice(up_vc->width() - 1, 0), own = counts.part(v, width);
      const Expr more = rtl::zext(up & (*up_vc == number), width);
      m.set(own, own + more - rtl::zext(down & (*down_vc == number), width));
    });
  });
}

// valid and vc of a flit and of a credit.
struct Ports {
  Ports(rtl::Module& m, const CrossbarParams& p, const char* flit, const char* credit)
      : valid(m.input("valid", 1, flit)) {
    const int bits = bits_to_number(p.vcs);
    if (bits) vc = m.input("vc", bits, "VC of the flit");
    credit_valid = m.input("credit_valid", 1, credit);
    if (bits) credit_vc = m.input("credit_vc", bits, "VC whose slot is free again");
  }
  // Both, of one VC.
  Expr meet() const {
    const Expr both = valid & credit_valid;
    return vc ? both & (*vc == *credit_vc) : both;
  }

  Expr valid, credit_valid;
  Vc vc, credit_vc;
};

}  // namespace

rtl::Module vc_input_check(const CrossbarParams& p) {
  const int port_bits = bits_to_number(p.outputs), width = count_bits(p);
  const bool any_output = p.outputs == 1 << port_bits;
  rtl::Module m(fmt::format("vc_input_check_o{}_v{}_d{}", p.outputs, p.vcs, p.vc_depth),
                "Flits that enter a crossbar, against credits and packets (this generator's checks).");
  const Ports in(m, p, "a flit enters", "a flit has left its queue");
  const Expr head = m.input("head", 1, "the flit is the first of its packet");
  const Expr tail = m.input("tail", 1, "the flit is the last of its packet");
  std::optional<Expr> destination;
  if (!any_output) destination = m.input("destination", port_bits, "output of its packet, on a head");
  const Expr overflow = m.output("overflow", 1, "the flit has no credit");
  const Expr broken = m.output("broken", 1, "the flit does not follow those before it");

  const Expr held = m.reg("held_q", p.vcs * width, 0, "flits that each VC has no credit back for");
  const Expr open = m.reg("open_q", p.vcs, 0, "VCs whose packet has not ended");
  const Expr full = of_vc(held, in.vc, width) == lit(width, static_cast<std::uint64_t>(p.vc_depth));
  const Expr right = of_vc(open, in.vc, 1) ^ head;
  Expr counts = in.valid, follows = destination ? right & ~(head & ~exists(*destination, p.outputs)) : right;
  if (in.vc && p.vcs != 1 << in.vc->width()) {
    const Expr there = m.let("vc_exists", exists(*in.vc, p.vcs), "there is such a VC");
    counts = counts & there;
    follows = follows & there;
  }
  m.assign(overflow, counts & full & ~in.meet());
  m.assign(broken, in.valid & ~follows);
  count(m, p, held, in.valid, in.vc, in.credit_valid, in.credit_vc, "Count the flits.");
  m.clocked("A tail ends a packet.", [&] {
    if (in.vc)
      m.loop("own", p.vcs, [&](const Expr& v) {
        m.when(in.valid & (*in.vc == v.slice(in.vc->width() - 1, 0)), [&] { m.set(open.at(v), ~tail); });
      });
    else
      m.when(in.valid, [&] { m.set(open, ~tail); });
  });
  return m;
}

rtl::Module vc_output_check(const CrossbarParams& p) {
  const int width = count_bits(p);
  rtl::Module m(fmt::format("vc_output_check_v{}_d{}", p.vcs, p.vc_depth),
                "Credits that come back to a crossbar, against flits (this generator's checks).");
  const Ports out(m, p, "a flit leaves", "the receiver has freed a slot");
  const Expr excess = m.output("excess", 1, "the credit is for no flit");
  const Expr spent = m.reg("spent_q", p.vcs * width, 0, "flits of each VC that the receiver has");
  Expr due = rtl::any(of_vc(spent, out.credit_vc, width)) | out.meet();
  if (out.vc && p.vcs != 1 << out.vc->width()) due = due & exists(*out.credit_vc, p.vcs);
  m.assign(excess, out.credit_valid & ~due);
  count(m, p, spent, out.valid, out.vc, out.credit_valid, out.credit_vc, "Count the flits.");
  return m;
}

}  // namespace hw
