#include "hw/noc/vc_output.h"

#include <fmt/format.h>

#include "hw/noc/round_robin.h"
#include "hw/noc/vc_queue.h"
#include "hw/prim/one_hot.h"
#include "hw/rtl/condition.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate;

class VcOutputBuilder {
 public:
  VcOutputBuilder(const CrossbarParams& p, const VcRule& rule, const rtl::Size& width, rtl::Module& m)
      : p_(p),
        m_(m),
        choice_(rule.choice(p, m)),
        input_vcs_(p.inputs * p.vcs),
        vc_bits_(rtl::clog2(static_cast<std::uint64_t>(p.vcs))),
        source_bits_(rtl::clog2(static_cast<std::uint64_t>(p.inputs))),
        width_(width) {}

  void run() {
    ports();
    state();
    for (VcRound& r : round_) offers(r);
    moves();
    owners();
    credits();
    flit();
    shown();
  }

 private:
  static Expr bit(const Expr& bits, int n) { return bits.width() == 1 ? bits : bits.bit(n); }
  static Expr reversed(const std::vector<Expr>& bits) {
    return cat(std::vector<Expr>(bits.rbegin(), bits.rend()));
  }

  void ports() {
    heads_ = m_.input("heads", input_vcs_, "input VCs with a head for this output in front");
    holds_ = m_.input("holds", input_vcs_, "input VCs with a flit in front");
    ends_ = m_.input("ends", p_.inputs, "input that the last flit of a packet comes from, one-hot");
    for (int t = 1; t <= p_.iterations; ++t) {
      VcRound r{.iteration = t};
      if (t > 1) r.open = m_.input(fmt::format("open_{}", t), p_.inputs, "inputs without a match");
      r.offer = m_.output(fmt::format("offer_{}", t), p_.inputs, "input that may send, one-hot");
      r.offer_vc =
          m_.output(fmt::format("offer_vc_{}", t), p_.vcs, "VC of that input that may send, one-hot");
      r.accepted =
          m_.input(fmt::format("accepted_{}", t), p_.inputs, "input that accepts the offer, one-hot");
      round_.push_back(r);
    }
    words_ = m_.input("words", p_.inputs * width_, "side and data of the flit that leaves each input");
    credit_valid_ = m_.input("credit_valid", 1, "the receiver has freed a slot");
    if (vc_bits_) credit_vc_ = m_.input("credit_vc", vc_bits_, "VC of the freed slot");
    valid_ = m_.output("valid", 1, "a flit leaves");
    if (vc_bits_) vc_ = m_.output("vc", vc_bits_, "VC of the flit");
    head_ = m_.output("head", 1, "the flit is the first of its packet");
    tail_ = m_.output("tail", 1, "the flit is the last of its packet");
    if (source_bits_) source_ = m_.output("source", source_bits_, "input that it comes from");
    word_ = m_.output("word", width_, "side and data of the flit");
  }

  void state() {
    for (int u = 0; u < p_.vcs; ++u) {
      state_.owner.push_back(m_.reg(fmt::format("owner{}_q", u), p_.inputs, 0,
                                    fmt::format("input whose packet is under way on VC {}, one-hot", u)));
      choice_->add_owner(u);
      spent_.push_back(
          m_.reg(fmt::format("spent{}_q", u), p_.vc_depth, 0,
                 fmt::format("credits of VC {} that are not there: as many ones, from bit 0 on", u)));
    }
    choice_->add_pointers();
    if (const int bits = pointer_bits(p_.vcs)) {
      state_.vc_pointer = m_.reg("vc_pointer_q", bits, 0, "VCs behind the last that sent");
      state_.vc_pointer_next = m_.wire("vc_pointer_next", bits, "pointer after this cycle");
    }
    std::vector<Expr> owned, credit;
    for (int u = 0; u < p_.vcs; ++u) {
      owned.push_back(rtl::any(state_.owner[static_cast<std::size_t>(u)]));
      credit.push_back(~bit(spent_[static_cast<std::size_t>(u)], p_.vc_depth - 1));
    }
    state_.owned = m_.let("owned", reversed(owned), "VCs with an owner");
    state_.credit = m_.let("credit", reversed(credit), "VCs with a credit");
  }

  // The flits that the owners of the VCs have in front.
  Expr owners_ready(const std::string& name, const Expr& holds) {
    std::vector<Expr> ready;  // most significant first
    for (int u = p_.vcs - 1; u >= 0; --u) {
      const auto at = static_cast<std::size_t>(u);
      std::vector<Expr> fronts;
      for (int i = p_.inputs - 1; i >= 0; --i) fronts.push_back(choice_->held(holds, i, u));
      const Expr has =
          m_.let(fmt::format("{}_in{}", name, u), cat(fronts),
                 fmt::format("inputs with a flit in front in the VC that VC {}'s owner is in", u));
      ready.push_back(m_.let(fmt::format("{}_of{}", name, u), rtl::any(has & state_.owner[at]),
                             fmt::format("the owner of VC {} has a flit in front", u)));
    }
    return p_.vcs == 1 ? ready[0] : m_.let(name, cat(ready), "VCs whose owner has a flit in front");
  }

  void offers(VcRound& r) {
    const int t = r.iteration;
    m_.section(fmt::format("Iteration {}: which VC may send, and whose flit. {}", t, choice_->about()));
    Expr holds = holds_;
    r.heads = heads_;
    if (t > 1) {
      std::vector<Expr> open;
      for (int i = p_.inputs - 1; i >= 0; --i) open.push_back(replicate(p_.vcs, bit(r.open, i)));
      const Expr inputs = m_.let(vc_name("asked", t), cat(open), "input VCs of inputs without a match");
      r.heads = m_.let(vc_name("heads_left", t), heads_ & inputs, "heads that may still leave");
      holds = m_.let(vc_name("holds_left", t), holds_ & inputs, "flits that may still leave");
    }
    r.taken = m_.let(vc_name("taken", t), rtl::any(r.accepted), "the offer is accepted");
    choice_->choose(
        r, state_, [&] { return owners_ready(vc_name("ready", t), holds); },
        [&] {
          return t == 1
                     ? rtl::Condition::always()
                     : rtl::Condition(m_.let(vc_name("waits", t), ~taken_before(t), "there is no match yet"));
        });
    // By the VC's state, so that only the choice of the VC is waited for. An unowned VC's owner is 0.
    std::vector<Expr> inputs;
    for (int u = 0; u < p_.vcs; ++u)
      inputs.push_back((state_.owner[static_cast<std::size_t>(u)] |
                        (choice_->head_input(u) & replicate(p_.inputs, ~bit(state_.owned, u)))) &
                       replicate(p_.inputs, bit(r.vc, u)));
    m_.assign(r.offer, by_halves(m_, vc_name("lower_offer", t), inputs,
                                 "input that is offered for a lower VC, one-hot"));
    m_.assign(r.offer_vc, choice_->offered_vc(r, state_));
  }

  Expr taken_before(int t) const {
    std::vector<Expr> terms;
    for (int s = 1; s < t; ++s) terms.push_back(round_[static_cast<std::size_t>(s - 1)].taken);
    return sum_of(terms);
  }

  void moves() {
    m_.section("The flit that is sent at this edge.");
    std::vector<Expr> vcs, inputs, heads;
    for (const VcRound& r : round_) {
      vcs.push_back(r.vc & replicate(p_.vcs, r.taken));
      inputs.push_back(r.accepted);
      heads.push_back(r.opens & r.taken);
    }
    sends_ = m_.let("sends", sum_of(vcs), "VC that sends, one-hot");
    input_ = p_.iterations == 1
                 ? inputs[0]
                 : m_.let("matched", sum_of(inputs), "input that the flit comes from, one-hot");
    first_ = m_.let("first", sum_of(heads), "the flit is the first of its packet");
    last_ = m_.let("last", rtl::any(ends_), "the flit is the last of its packet");
    if (choice_->has_pointers() || state_.vc_pointer)
      m_.clocked("Pointers move past what was accepted in the first iteration.", [&] {
        choice_->move_pointers();
        if (state_.vc_pointer) m_.set(*state_.vc_pointer, state_.vc_pointer_next);
      });
  }

  void owners() {
    m_.clocked("A head makes its input VC the owner, a tail ends that.", [&] {
      for (int u = 0; u < p_.vcs; ++u)
        m_.when(bit(sends_, u), [&] {
          m_.set(state_.owner[static_cast<std::size_t>(u)], input_ & replicate(p_.inputs, ~last_));
        });
    });
    choice_->follow(round_, state_);
  }

  void credits() {
    std::vector<Expr> back;
    for (int u = 0; u < p_.vcs; ++u)
      back.push_back(vc_bits_ ? credit_valid_ & (credit_vc_ == lit(vc_bits_, static_cast<unsigned>(u)))
                              : credit_valid_);
    const Expr returns = vc_bits_
                             ? m_.let("returns", reversed(back), "VC that a credit comes back for, one-hot")
                             : credit_valid_;
    const int depth = p_.vc_depth;
    m_.clocked("Count the credits.", [&] {
      for (int u = 0; u < p_.vcs; ++u) {
        const Expr spent = spent_[static_cast<std::size_t>(u)];
        m_.when(bit(sends_, u) & ~bit(returns, u), [&] {
            m_.set(spent, depth == 1 ? lit(1, 1) : cat({spent.slice(depth - 2, 0), lit(1, 1)}));
          }).otherwise([&] {
          m_.when(bit(returns, u) & ~bit(sends_, u), [&] {
            m_.set(spent, depth == 1 ? lit(1, 0) : cat({lit(1, 0), spent.slice(depth - 1, 1)}));
          });
        });
      }
    });
  }

  // One-hot to binary.
  Expr number(const char* name, const Expr& hot, int bits, const char* doc) {
    const Expr out = m_.wire(name, bits, doc);
    m_.comb(fmt::format("The number of the {}.", doc), [&] {
      m_.set(out, lit(bits, 0));
      m_.loop("n", hot.width(),
              [&](const Expr& n) { m_.set(out, out | (n.slice(bits - 1, 0) & replicate(bits, hot.at(n)))); });
    });
    return out;
  }

  void flit() {
    m_.section("The flit that leaves.");
    const Expr valid = m_.reg("valid_q", 1, 0, "a flit leaves");
    const Expr head = m_.data_reg("head_q", 1, "the flit is the first of its packet");
    const Expr tail = m_.data_reg("tail_q", 1, "the flit is the last of its packet");
    const Expr word = m_.data_reg("word_q", width_, "side and data of the flit");
    std::vector<std::pair<Expr, Expr>> next{{head, first_}, {tail, last_}};
    if (vc_bits_) {
      const Expr vc = m_.data_reg("vc_q", vc_bits_, "VC of the flit");
      next.emplace_back(vc, number("vc_number", sends_, vc_bits_, "VC that sends"));
      m_.assign(vc_, vc);
    }
    if (source_bits_) {
      const Expr source = m_.data_reg("source_q", source_bits_, "input that it comes from");
      next.emplace_back(source, number("source_number", input_, source_bits_, "input that it comes from"));
      m_.assign(source_, source);
    }
    const Expr mixed = m_.wire("mixed", width_, "side and data of the flit that is sent");
    m_.comb("The word of the matched input, by AND and OR.", [&] {
      m_.set(mixed, lit(width_, 0));
      m_.loop("i", p_.inputs, [&](const Expr& i) {
        m_.set(mixed,
               mixed | (words_.part(i, width_) & replicate(width_, p_.inputs == 1 ? input_ : input_.at(i))));
      });
    });
    next.emplace_back(word, mixed);
    m_.assign(valid_, valid);
    m_.assign(head_, head);
    m_.assign(tail_, tail);
    m_.assign(word_, word);
    m_.clocked("Show the flit in the next cycle.", [&] { m_.set(valid, rtl::any(input_)); });
    m_.clocked("The flit, without a reset: that would cost each bit of the word a gate.", [&] {
      for (const auto& [target, value] : next) m_.set(target, value);
    });
  }

  void shown() {
    m_.observe("owner_input", reversed(state_.owner), {{"VC", p_.vcs}, {"input", p_.inputs}});
    m_.observe("spent", reversed(spent_), {{"VC", p_.vcs}});
    if (vc_bits_) m_.observe("vc_pointer", pointer_position(*state_.vc_pointer, p_.vcs, 1, vc_bits_));
    choice_->observe();
  }

  const CrossbarParams& p_;
  rtl::Module& m_;
  const std::unique_ptr<VcChoice> choice_;
  int input_vcs_, vc_bits_, source_bits_;
  rtl::Size width_;
  Expr heads_, holds_, ends_, words_, credit_valid_, credit_vc_;
  Expr valid_, vc_, head_, tail_, source_, word_;
  VcOutputState state_;
  Expr sends_, input_, first_, last_;
  std::vector<Expr> spent_;  // by VC
  std::vector<VcRound> round_;
};

}  // namespace

rtl::Module vc_output(const CrossbarParams& p, const VcRule& rule) {
  rtl::Module m(
      fmt::format("vc_output{}_i{}_v{}_d{}_w{}_t{}", rule.suffix, p.inputs, p.vcs, p.vc_depth, word_bits(p),
                  p.iterations),
      fmt::format("One output of a crossbar: offers its {} VCs to heads and owners at {} inputs (DC-L1 "
                  "thesis, chapter 5).",
                  p.vcs, p.inputs));
  m.cell(fmt::format("vc_output{}_i{}_v{}_d{}_t{}", rule.suffix, p.inputs, p.vcs, p.vc_depth, p.iterations));
  const rtl::Size width = m.parameter("WIDTH", word_bits(p), 8, "side and data of a flit");
  VcOutputBuilder(p, rule, width, m).run();
  return m;
}

}  // namespace hw
