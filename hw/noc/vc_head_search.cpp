#include "hw/noc/vc_head_search.h"

#include <fmt/format.h>

#include "hw/noc/islip_search.h"
#include "hw/noc/round_robin.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

// The lowest bit that is set, alone.
Expr lowest(const Expr& bits) {
  if (bits.width() == 1) return bits;
  std::vector<Expr> first;
  for (int v = bits.width() - 1; v > 0; --v) first.push_back(bits.bit(v) & ~rtl::any(bits.slice(v - 1, 0)));
  first.push_back(bits.bit(0));
  return cat(first);
}

class VcHeadSearchBuilder {
 public:
  VcHeadSearchBuilder(const CrossbarParams& p, bool moves, rtl::Module& m)
      : p_(p), moves_(moves), m_(m), bits_(head_pointer(p)) {}

  void run() {
    ports();
    own_input();
    next_input();
    choice();
    if (moves_) next();
  }

 private:
  Expr at(const Expr& bits, int i) const { return p_.inputs == 1 ? bits : bits.bit(i); }
  Expr vcs_of(const Expr& bits, int i) const {
    return bits.width() == 1 ? bits : bits.slice((i + 1) * p_.vcs - 1, i * p_.vcs);
  }

  void ports() {
    heads_ = m_.input("heads", p_.inputs * p_.vcs, "bit i*V + v: VC v of input i has a head in front");
    if (bits_.inputs) after_ = m_.input("after", bits_.inputs, "inputs behind the last head's");
    if (bits_.input) own_ = m_.input("own", bits_.input, "the last head's input, one-hot");
    if (bits_.vcs) behind_ = m_.input("behind", bits_.vcs, "VCs behind the last head's, from VC 1 on");
    if (moves_) used_ = m_.input("used", 1, "the choice is used");
    input_ = m_.output("input_chosen", p_.inputs, "input of the chosen head, one-hot; 0 without a head");
    if (p_.vcs > 1) vc_ = m_.output("vc", p_.vcs, "VC of the head, one-hot");
    if (!moves_) return;
    if (bits_.inputs)
      after_next_ = m_.output("after_next", bits_.inputs, "inputs behind the pointer in the next cycle");
    if (bits_.input) own_next_ = m_.output("own_next", bits_.input, "input of the pointer in the next cycle");
    if (bits_.vcs)
      behind_next_ = m_.output("behind_next", bits_.vcs, "VCs behind the pointer in the next cycle");
  }

  // The last head's input comes first, with the VCs behind that head.
  void own_input() {
    if (p_.vcs == 1) return;
    Expr heads = heads_;
    if (bits_.input) {
      heads = m_.wire("own_heads", p_.vcs, "heads of the last head's input");
      m_.comb("Look at that input.", [&] {
        m_.set(heads, lit(p_.vcs, 0));
        m_.loop("i", p_.inputs, [&](const Expr& i) {
          m_.set(heads, heads | (heads_.part(i, p_.vcs) & replicate(p_.vcs, own_.at(i))));
        });
      });
      m_.unused("unused_own_heads", heads.bit(0), "no VC stands before VC 0");
    }
    own_ahead_ = m_.let("own_ahead", heads.slice(p_.vcs - 1, 1) & behind_,
                        "heads of the last head's input on later VCs");
    stays_ = m_.let("stays", rtl::any(own_ahead_), "one of them is chosen");
    own_vc_ = m_.let("own_vc", cat({lowest(own_ahead_), lit(1, 0)}), "the first of them, one-hot");
  }

  // Else the next input with a head, that one last.
  void next_input() {
    std::vector<Expr> asking;
    for (int i = p_.inputs - 1; i >= 0; --i) asking.push_back(rtl::any(vcs_of(heads_, i)));
    const Expr from = m_.let("asking", cat(asking), "inputs with a head");
    other_ = from;
    if (p_.inputs == 1) return;
    other_ = m_.wire("other", p_.inputs, "the next input with a head, one-hot");
    std::vector<std::pair<std::string, Expr>> pins{{"request", from}, {"pointer", after_}};
    if (moves_) {
      pins.emplace_back("used", p_.vcs == 1 ? used_ : used_ & ~stays_);
    }
    pins.emplace_back("grant", other_);
    if (moves_) pins.emplace_back("next", after_next_);
    m_.instance(islip_search(p_.inputs, moves_ ? Moves::if_used : Moves::no, true), "other_search", pins,
                "The first input with a head behind the pointer.");
  }

  void choice() {
    m_.section("The choice.");
    if (p_.vcs == 1) return m_.assign(input_, other_);
    m_.assign(input_, bits_.input ? mux(stays_, own_, other_) : other_);
    if (p_.inputs == 1) return m_.assign(vc_, mux(stays_, own_vc_, lowest(heads_)));
    Expr first;
    for (int i = 0; i < p_.inputs; ++i) {
      const Expr heads =
          m_.let(fmt::format("heads_{}", i), vcs_of(heads_, i), fmt::format("heads of input {}", i));
      const Expr here = lowest(heads) & replicate(p_.vcs, other_.bit(i));
      first = m_.let(fmt::format("other_vc_to{}", i), i == 0 ? here : first | here,
                     fmt::format("VC of the first head of the other input, if that is one up to {}", i));
    }
    m_.assign(vc_, mux(stays_, own_vc_, first));
  }

  void next() {
    if (p_.vcs == 1) {
      if (p_.inputs == 1) m_.unused("unused_used", used_, "one head needs no pointer");
      return;
    }
    m_.section("The pointer in the next cycle.");
    if (bits_.input) m_.assign(own_next_, mux(used_, input_, own_));
    std::vector<Expr> behind;
    for (int v = p_.vcs - 2; v >= 0; --v) behind.push_back(rtl::any(vc_.slice(v, 0)));
    m_.assign(behind_next_, mux(used_, cat(behind), behind_));
  }

  const CrossbarParams& p_;
  bool moves_;
  rtl::Module& m_;
  HeadPointer bits_;
  Expr heads_, after_, own_, behind_, used_, input_, vc_, after_next_, own_next_, behind_next_;
  Expr own_ahead_, stays_, own_vc_, other_;
};

}  // namespace

HeadPointer head_pointer(const CrossbarParams& p) {
  return {pointer_bits(p.inputs), p.inputs > 1 && p.vcs > 1 ? p.inputs : 0, p.vcs - 1};
}

rtl::Module vc_head_search(const CrossbarParams& p, bool moves) {
  rtl::Module m(
      fmt::format("vc_head_search{}_i{}_v{}", moves ? "" : "_later", p.inputs, p.vcs),
      fmt::format("The first head at or after a pointer, of {} VCs at {} inputs (DC-L1 thesis, chapter 5).",
                  p.vcs, p.inputs));
  VcHeadSearchBuilder(p, moves, m).run();
  return m;
}

}  // namespace hw
