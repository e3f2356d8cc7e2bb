// Packets leave a crossbar on the VC on which they came: for each VC the heads are searched beside the VC
// (DC-L1 thesis, chapter 4; docs/contracts/vc-crossbar.md).
#include <fmt/format.h>

#include "hw/noc/islip_search.h"
#include "hw/noc/vc_choice.h"
#include "hw/noc/vc_head_pointer.h"
#include "hw/rtl/condition.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::mux, rtl::replicate;

class KeptVc final : public VcChoice {
 public:
  using VcChoice::VcChoice;

  std::string about() const override { return "Beside the VC a head is searched for each."; }

  void add_owner(int) override {}
  void add_pointers() override { pointer_.add(m_, p_); }

  Expr held(const Expr& holds, int i, int u) const override { return holds.bit(i * p_.vcs + u); }

  void choose(VcRound& r, const VcOutputState& s, const std::function<Expr()>& all_ready,
              const std::function<rtl::Condition()>& all_waits) override {
    const int t = r.iteration;
    const std::vector<Expr> heads = heads_by_vc(r);
    std::vector<Expr> some;
    for (int u = p_.vcs - 1; u >= 0; --u) some.push_back(rtl::any(heads[static_cast<std::size_t>(u)]));
    const Expr asked = m_.let(vc_name("asked_vcs", t), cat(some), "VCs with a head");
    const Expr ready = all_ready();
    const Expr request = s.credit & (ready | (asked & ~s.owned));
    if (t == 1) {
      r.vc = first_vc(m_, vc_name("vc", t), request, s.vc_pointer, "VC that is offered, one-hot");
    } else {
      const Expr first = first_vc(m_, vc_name("vc_first", t), request, s.vc_pointer, "VC that is chosen");
      r.vc = m_.let(vc_name("vc", t), first & replicate(p_.vcs, all_waits().bit()),
                    "VC that is offered, one-hot");
    }
    if (t == 1) m_.assign(s.vc_pointer_next, pointer_past(r.vc, r.taken, *s.vc_pointer));
    r.opens = m_.let(vc_name("opens", t), rtl::any(r.vc & ~s.owned), "the VC is free: for a head");
    search_heads(t, heads);
    if (t == 1) next_pointers(r);
  }

  Expr head_input(int u) const override { return inputs_[static_cast<std::size_t>(u)]; }
  Expr offered_vc(const VcRound& r, const VcOutputState&) override { return r.vc; }

  bool has_pointers() const override { return true; }
  void move_pointers() override {
    for (const auto& part : pointer_.parts()) m_.set(part.value, part.next);
  }
  void follow(const std::vector<VcRound>&, const VcOutputState&) override {}
  void observe() override { pointer_.observe(m_, p_); }

 private:
  std::vector<Expr> heads_by_vc(const VcRound& r) const {
    std::vector<Expr> all;
    for (int u = 0; u < p_.vcs; ++u) {
      std::vector<Expr> heads;
      for (int i = p_.inputs - 1; i >= 0; --i) heads.push_back(r.heads.bit(i * p_.vcs + u));
      all.push_back(m_.let(fmt::format("heads_of{}_{}", u, r.iteration), cat(heads),
                           fmt::format("inputs with a head in VC {}", u)));
    }
    return all;
  }

  // VCs behind the last head's begin with its input, the others with the next one.
  void search_heads(int t, const std::vector<Expr>& heads) {
    inputs_ = heads;
    if (p_.inputs == 1) return;
    const Expr after = pointer_.part("after")->value, own = pointer_.part("own")->value;
    const auto behind = pointer_.part("behind");
    const int bits = after.width();
    const Expr from_own =
        m_.let(vc_name("from_own", t), (after | own.slice(p_.inputs - 1, 1)) & replicate(bits, ~own.bit(0)),
               "the pointer with the last head's input");
    for (int u = 0; u < p_.vcs; ++u) {
      Expr& input = inputs_[static_cast<std::size_t>(u)];
      input = m_.wire(fmt::format("head_input{}_{}", u, t), p_.inputs,
                      fmt::format("input whose head VC {} is offered to, one-hot", u));
      m_.instance(islip_search(p_.inputs, Moves::no, true), fmt::format("head_search{}_{}", u, t),
                  {{"request", heads[static_cast<std::size_t>(u)]},
                   {"pointer", u ? mux(behind->value.bit(u - 1), from_own, after) : after},
                   {"grant", input}},
                  fmt::format("The first head of VC {} at or after the pointer.", u));
    }
  }

  void next_pointers(const VcRound& r) {
    const Expr used = m_.let("head_leaves", r.taken & r.opens, "a head leaves, past which the pointer moves");
    if (p_.inputs > 1) {
      std::vector<Expr> terms;
      for (int u = 0; u < p_.vcs; ++u)
        terms.push_back(inputs_[static_cast<std::size_t>(u)] & replicate(p_.inputs, r.vc.bit(u)));
      const Expr input =
          m_.let("head_input", by_halves(m_, "lower_head_input", terms, "input of a head for a lower VC"),
                 "input of the head, one-hot");
      const auto after = pointer_.part("after"), own = pointer_.part("own");
      m_.assign(after->next, pointer_past(input, used, after->value));
      m_.assign(own->next, mux(used, input, own->value));
    }
    const auto behind = pointer_.part("behind");
    m_.assign(behind->next, pointer_past(r.vc, used, behind->value));
  }

  VcHeadPointer pointer_;
  std::vector<Expr> inputs_;  // by VC, in the last iteration
};

}  // namespace

const VcRule& kept_vc() {
  static const VcRule rule{"_kept", [](const CrossbarParams& p, rtl::Module& m) -> std::unique_ptr<VcChoice> {
                             return std::make_unique<KeptVc>(p, m);
                           }};
  return rule;
}

}  // namespace hw
