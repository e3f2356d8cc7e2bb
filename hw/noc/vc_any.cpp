// Packets leave a crossbar on any VC: the VC is searched beside the heads, once for the case that there is a
// head and once without (DC-L1 thesis, chapter 5; docs/contracts/vc-crossbar.md).
#include <fmt/format.h>

#include "hw/noc/islip_search.h"
#include "hw/noc/vc_choice.h"
#include "hw/noc/vc_head_pointer.h"
#include "hw/noc/vc_head_search.h"
#include "hw/rtl/condition.h"

namespace hw {
namespace {

using rtl::Expr, rtl::replicate;

class AnyVc final : public VcChoice {
 public:
  using VcChoice::VcChoice;

  std::string about() const override {
    return "The VC is searched beside the heads: once for the case that there is one, and once without.";
  }

  void add_owner(int u) override {
    if (p_.vcs > 1)
      owner_vc_.push_back(
          m_.data_reg(fmt::format("owner{}_vc_q", u), p_.vcs, "VC of that packet at its input, one-hot"));
  }

  void add_pointers() override { pointer_.add(m_, p_); }

  Expr held(const Expr& holds, int i, int u) const override {
    if (p_.vcs == 1) return vcs_of_input(holds, i, 1);
    return rtl::any(vcs_of_input(holds, i, p_.vcs) & owner_vc_[static_cast<std::size_t>(u)]);
  }

  void choose(VcRound& r, const VcOutputState& s, const std::function<Expr()>& all_ready,
              const std::function<rtl::Condition()>& all_waits) override {
    const int t = r.iteration;
    const Expr some = m_.let(vc_name("any_head", t), rtl::any(r.heads), "there is a head for a free VC");
    const Expr ready = all_ready();
    r.vc = m_.wire(vc_name("vc", t), p_.vcs, "VC that is offered, one-hot");
    const Expr with = first_vc(m_, vc_name("vc_with_head", t), s.credit & (ready | ~s.owned), s.vc_pointer,
                               "VC that is chosen if there is a head");
    const Expr without = first_vc(m_, vc_name("vc_without", t), s.credit & ready, s.vc_pointer,
                                  "VC that is chosen if there is no head");
    const rtl::Condition waits = all_waits();
    const auto if_waiting = [&](const Expr& x) {
      return waits.is_always() ? x : x & replicate(x.width(), waits.when());
    };
    m_.assign(r.vc, if_waiting(rtl::mux(some, with, without)));
    if (t == 1 && s.vc_pointer) m_.assign(s.vc_pointer_next, pointer_past(r.vc, r.taken, *s.vc_pointer));
    r.opens = m_.let(vc_name("opens", t), if_waiting(some & rtl::any(with & ~s.owned)),
                     "the VC is free: for a head");
    search_heads(r);
  }

  Expr head_input(int) const override { return input_; }

  // By the VC's state, so that only the choice of the VC is waited for.
  Expr offered_vc(const VcRound& r, const VcOutputState& s) override {
    if (p_.vcs == 1) return r.vc;
    std::vector<Expr> vcs;
    for (int u = 0; u < p_.vcs; ++u)
      vcs.push_back(rtl::mux(s.owned.bit(u), owner_vc_[static_cast<std::size_t>(u)], head_vc_.back()) &
                    replicate(p_.vcs, r.vc.bit(u)));
    return by_halves(m_, vc_name("lower_offer_vc", r.iteration), vcs, "VC of that input, one-hot");
  }

  bool has_pointers() const override { return !pointer_.parts().empty(); }
  void move_pointers() override {
    for (const auto& part : pointer_.parts()) m_.set(part.value, part.next);
  }

  void follow(const std::vector<VcRound>& rounds, const VcOutputState& s) override {
    if (p_.vcs == 1) return;
    std::vector<Expr> vcs;
    for (std::size_t t = 0; t < rounds.size(); ++t)
      vcs.push_back(p_.iterations == 1 ? head_vc_[t] : head_vc_[t] & replicate(p_.vcs, rounds[t].taken));
    const Expr from =
        p_.iterations == 1 ? vcs[0] : m_.let("from_vc", sum_of(vcs), "VC of a head that leaves, one-hot");
    m_.clocked("The owner's VC; without an owner that of the next, should there be one.", [&] {
      for (int u = 0; u < p_.vcs; ++u)
        m_.when(~s.owned.bit(u), [&] { m_.set(owner_vc_[static_cast<std::size_t>(u)], from); });
    });
  }

  void observe() override {
    if (p_.vcs > 1)
      m_.observe("owner_vc", rtl::cat(std::vector<Expr>(owner_vc_.rbegin(), owner_vc_.rend())),
                 {{"VC", p_.vcs}});
    pointer_.observe(m_, p_);
  }

 private:
  void search_heads(VcRound& r) {
    const int t = r.iteration;
    input_ =
        m_.wire(vc_name("head_input", t), p_.inputs, "input whose head a free VC is offered to, one-hot");
    if (p_.vcs > 1)
      head_vc_.push_back(m_.wire(vc_name("head_vc", t), p_.vcs, "VC of that head there, one-hot"));
    std::vector<std::pair<std::string, Expr>> pins{{"heads", r.heads}};
    for (const auto& part : pointer_.parts()) pins.emplace_back(part.pin, part.value);
    if (t == 1) pins.emplace_back("used", r.taken & r.opens);
    pins.emplace_back("input_chosen", input_);
    if (p_.vcs > 1) pins.emplace_back("vc", head_vc_.back());
    if (t == 1)
      for (const auto& part : pointer_.parts()) pins.emplace_back(part.pin + "_next", part.next);
    m_.instance(vc_head_search(p_, t == 1), vc_name("head_search", t), pins,
                "The first head at or after the pointer.");
  }

  VcHeadPointer pointer_;
  std::vector<Expr> owner_vc_, head_vc_;  // by VC; by iteration, of the head for a free VC
  Expr input_;                            // of the head, in the last iteration
};

}  // namespace

const VcRule& any_vc() {
  static const VcRule rule{"", [](const CrossbarParams& p, rtl::Module& m) -> std::unique_ptr<VcChoice> {
                             return std::make_unique<AnyVc>(p, m);
                           }};
  return rule;
}

}  // namespace hw
