#include "hw/noc/vc_output.h"

#include <fmt/format.h>

#include "hw/noc/islip_search.h"
#include "hw/noc/round_robin.h"
#include "hw/noc/vc_head_search.h"
#include "hw/noc/vc_queue.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate;

class Builder {
 private:
  // An iteration's part in what happens.
  struct Round {
    Expr offer, offer_vc, accepted, open = {};  // ports
    Expr vc = {}, opens = {}, taken = {};       // VC that is offered, one-hot; it is free; somebody accepts
    Expr head_vc = {};                          // input VC of the head for a free VC, one-hot
  };
  // A part of the pointer over heads, and the pin of the search that takes it.
  struct Pointer {
    std::string pin;
    Expr value, next;
  };

 public:
  Builder(const CrossbarParams& p, rtl::Module& m)
      : p_(p),
        m_(m),
        input_vcs_(p.inputs * p.vcs),
        pointer_bits_(head_pointer(p)),
        vc_bits_(rtl::clog2(static_cast<std::uint64_t>(p.vcs))),
        source_bits_(rtl::clog2(static_cast<std::uint64_t>(p.inputs))),
        width_(word_bits(p)) {}

  void run() {
    ports();
    state();
    for (int t = 1; t <= p_.iterations; ++t) offers(t, round_[static_cast<std::size_t>(t - 1)]);
    moves();
    owners();
    credits();
    flit();
    shown();
  }

 private:
  static Expr bit(const Expr& bits, int n) { return bits.width() == 1 ? bits : bits.bit(n); }
  Expr vcs_of(const Expr& bits, int i) const {
    return bits.width() == 1 ? bits : bits.slice((i + 1) * p_.vcs - 1, i * p_.vcs);
  }
  static Expr sum(const std::vector<Expr>& terms) {
    Expr all = terms[0];
    for (std::size_t k = 1; k < terms.size(); ++k) all = all | terms[k];
    return all;
  }
  static Expr reversed(const std::vector<Expr>& bits) {
    return cat(std::vector<Expr>(bits.rbegin(), bits.rend()));
  }

  void ports() {
    heads_ = m_.input("heads", input_vcs_, "input VCs with a head for this output in front");
    holds_ = m_.input("holds", input_vcs_, "input VCs with a flit in front");
    ends_ = m_.input("ends", p_.inputs, "input that the last flit of a packet comes from, one-hot");
    for (int t = 1; t <= p_.iterations; ++t) {
      Round r;
      if (t > 1) r.open = m_.input(fmt::format("open_{}", t), p_.inputs, "inputs without a match");
      r.offer = m_.output(fmt::format("offer_{}", t), p_.inputs, "input that may send, one-hot");
      r.offer_vc =
          m_.output(fmt::format("offer_vc_{}", t), p_.vcs, "VC of that input that may send, one-hot");
      r.accepted =
          m_.input(fmt::format("accepted_{}", t), p_.inputs, "input that accepts the offer, one-hot");
      round_.push_back(r);
    }
    words_ = m_.input("words", p_.inputs * width_, "side and data of the flit that leaves each input");
    credit_valid_ = m_.input("credit_valid", 1, "the receiver has freed a place");
    if (vc_bits_) credit_vc_ = m_.input("credit_vc", vc_bits_, "of this VC");
    valid_ = m_.output("valid", 1, "a flit leaves");
    if (vc_bits_) vc_ = m_.output("vc", vc_bits_, "VC of the flit");
    head_ = m_.output("head", 1, "the flit is the first of its packet");
    tail_ = m_.output("tail", 1, "the flit is the last of its packet");
    if (source_bits_) source_ = m_.output("source", source_bits_, "input that it comes from");
    word_ = m_.output("word", width_, "side and data of the flit");
  }

  void state() {
    for (int u = 0; u < p_.vcs; ++u) {
      owner_.push_back(m_.reg(fmt::format("owner{}_q", u), p_.inputs, 0,
                              fmt::format("input whose packet is under way on VC {}, one-hot", u)));
      owner_vc_.push_back(vc_bits_ ? m_.data_reg(fmt::format("owner{}_vc_q", u), p_.vcs,
                                                 "VC of that packet at its input, one-hot")
                                   : lit(1, 1));
      spent_.push_back(
          m_.reg(fmt::format("spent{}_q", u), p_.vc_depth, 0,
                 fmt::format("credits of VC {} that are not there: as many ones, from bit 0 on", u)));
    }
    const auto pointer = [&](const char* name, const char* pin, int bits, const char* doc) {
      if (bits == 0) return;
      const Expr q = m_.reg(fmt::format("{}_q", name), bits, 0, doc);
      head_pointer_.push_back(
          {pin, q, m_.wire(fmt::format("{}_next", name), bits, "pointer after this cycle")});
    };
    pointer("head_inputs", "after", pointer_bits_.inputs, "inputs behind that of the last head that left");
    pointer("head_input", "own", pointer_bits_.input, "input of the last head that left, one-hot");
    pointer("head_vcs", "behind", pointer_bits_.vcs, "VCs behind its own, from VC 1 on");
    if (const int bits = pointer_bits(p_.vcs)) {
      vc_pointer_ = m_.reg("vc_pointer_q", bits, 0, "VCs behind the last that sent");
      vc_next_ = m_.wire("vc_pointer_next", bits, "pointer after this cycle");
    }
    std::vector<Expr> owned, credit;
    for (int u = 0; u < p_.vcs; ++u) {
      owned.push_back(rtl::any(owner_[static_cast<std::size_t>(u)]));
      credit.push_back(~bit(spent_[static_cast<std::size_t>(u)], p_.vc_depth - 1));
    }
    owned_ = m_.let("owned", reversed(owned), "VCs with an owner");
    credit_ = m_.let("credit", reversed(credit), "VCs with a credit");
  }

  // The first VC at or after the pointer.
  Expr first_vc(const std::string& name, const Expr& request, const std::string& doc) {
    if (p_.vcs == 1) return request;
    const Expr grant = m_.wire(name, p_.vcs, doc);
    m_.instance(islip_search(p_.vcs, Moves::no, true), name + "_search",
                {{"request", request}, {"pointer", vc_pointer_}, {"grant", grant}},
                "The first VC at or after the pointer.");
    return grant;
  }

  // The flits that the owners of the VCs have in front.
  Expr owners_ready(const std::string& name, const Expr& holds) {
    std::vector<Expr> ready;  // most significant first
    for (int u = p_.vcs - 1; u >= 0; --u) {
      const auto at = static_cast<std::size_t>(u);
      std::vector<Expr> fronts;
      for (int i = p_.inputs - 1; i >= 0; --i) fronts.push_back(rtl::any(vcs_of(holds, i) & owner_vc_[at]));
      const Expr has =
          m_.let(fmt::format("{}_in{}", name, u), cat(fronts),
                 fmt::format("inputs with a flit in front in the VC that VC {}'s owner is in", u));
      ready.push_back(m_.let(fmt::format("{}_of{}", name, u), rtl::any(has & owner_[at]),
                             fmt::format("the owner of VC {} has a flit in front", u)));
    }
    return m_.let(name, cat(ready), "VCs whose owner has a flit in front");
  }

  // VCs and heads are searched side by side: the VC once for the case that there is a head, and once without.
  void offers(int t, Round& r) {
    const auto name = [&](const char* stem) { return fmt::format("{}_{}", stem, t); };
    m_.section(
        fmt::format("Iteration {}: which VC may send, and whose flit. The VC is searched beside the "
                    "heads: once for the case that there is one, and once without.",
                    t));
    Expr heads = heads_, holds = holds_;
    if (t > 1) {
      std::vector<Expr> open;
      for (int i = p_.inputs - 1; i >= 0; --i) open.push_back(replicate(p_.vcs, bit(r.open, i)));
      const Expr inputs = m_.let(name("asked"), cat(open), "input VCs of inputs without a match");
      heads = m_.let(name("heads_left"), heads_ & inputs, "heads that may still leave");
      holds = m_.let(name("holds_left"), holds_ & inputs, "flits that may still leave");
    }
    r.taken = m_.let(name("taken"), rtl::any(r.accepted), "the offer is accepted");
    const Expr some = m_.let(name("any_head"), rtl::any(heads), "there is a head for a free VC");
    const Expr ready = owners_ready(name("ready"), holds);
    r.vc = m_.wire(name("vc"), p_.vcs, "VC that is offered, one-hot");
    const Expr with =
        first_vc(name("vc_with_head"), credit_ & (ready | ~owned_), "VC that is chosen if there is a head");
    const Expr without =
        first_vc(name("vc_without"), credit_ & ready, "VC that is chosen if there is no head");
    const Expr can = t == 1 ? lit(1, 1) : m_.let(name("waits"), ~taken_before(t), "there is no match yet");
    const auto if_waiting = [&](const Expr& x) { return t == 1 ? x : x & replicate(x.width(), can); };
    m_.assign(r.vc, if_waiting(rtl::mux(some, with, without)));
    if (t == 1 && vc_pointer_.known()) m_.assign(vc_next_, pointer_past(r.vc, r.taken, vc_pointer_));
    r.opens =
        m_.let(name("opens"), if_waiting(some & rtl::any(with & ~owned_)), "the VC is free: for a head");
    const Expr input =
        m_.wire(name("head_input"), p_.inputs, "input whose head a free VC is offered to, one-hot");
    if (vc_bits_) r.head_vc = m_.wire(name("head_vc"), p_.vcs, "VC of that head there, one-hot");
    std::vector<std::pair<std::string, Expr>> pins{{"heads", heads}};
    for (const Pointer& q : head_pointer_) pins.emplace_back(q.pin, q.value);
    if (t == 1) pins.emplace_back("used", r.taken & r.opens);
    pins.emplace_back("input_chosen", input);
    if (vc_bits_) pins.emplace_back("vc", r.head_vc);
    if (t == 1)
      for (const Pointer& q : head_pointer_) pins.emplace_back(q.pin + "_next", q.next);
    m_.instance(vc_head_search(p_, t == 1), name("head_search"), pins,
                "The first head at or after the pointer.");
    // By the VC's state, so that only the choice of the VC is waited for. An unowned VC's owner is 0.
    std::vector<Expr> inputs, vcs;
    for (int u = 0; u < p_.vcs; ++u) {
      const auto at = static_cast<std::size_t>(u);
      const Expr owned = bit(owned_, u), chosen = bit(r.vc, u);
      inputs.push_back((owner_[at] | (input & replicate(p_.inputs, ~owned))) & replicate(p_.inputs, chosen));
      vcs.push_back(vc_bits_ ? rtl::mux(owned, owner_vc_[at], r.head_vc) & replicate(p_.vcs, chosen)
                             : chosen);
    }
    m_.assign(r.offer,
              by_halves(name("lower_offer"), inputs, "input that is offered for a lower VC, one-hot"));
    m_.assign(r.offer_vc, by_halves(name("lower_offer_vc"), vcs, "VC of that input, one-hot"));
  }

  // The terms of the lower VCs by themselves, as all of them make a long statement.
  Expr by_halves(const std::string& name, const std::vector<Expr>& terms, const std::string& doc) {
    if (terms.size() < 4) return sum(terms);
    const auto half = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
    std::vector<Expr> rest{m_.let(name, sum({terms.begin(), half}), doc)};
    rest.insert(rest.end(), half, terms.end());
    return sum(rest);
  }

  Expr taken_before(int t) const {
    std::vector<Expr> terms;
    for (int s = 1; s < t; ++s) terms.push_back(round_[static_cast<std::size_t>(s - 1)].taken);
    return sum(terms);
  }

  void moves() {
    m_.section("What is sent at this edge.");
    std::vector<Expr> vcs, inputs, heads;
    for (const Round& r : round_) {
      vcs.push_back(r.vc & replicate(p_.vcs, r.taken));
      inputs.push_back(r.accepted);
      heads.push_back(r.opens & r.taken);
    }
    sends_ = m_.let("sends", sum(vcs), "VC that sends, one-hot");
    input_ = p_.iterations == 1 ? inputs[0]
                                : m_.let("matched", sum(inputs), "input that the flit comes from, one-hot");
    first_ = m_.let("first", sum(heads), "the flit is the first of its packet");
    last_ = m_.let("last", rtl::any(ends_), "the flit is the last of its packet");
    if (!head_pointer_.empty() || vc_pointer_.known())
      m_.clocked("Pointers move past what was accepted in the first iteration.", [&] {
        for (const Pointer& q : head_pointer_) m_.set(q.value, q.next);
        if (vc_pointer_.known()) m_.set(vc_pointer_, vc_next_);
      });
  }

  void owners() {
    m_.clocked("A head makes its input VC the owner, a tail ends that.", [&] {
      for (int u = 0; u < p_.vcs; ++u)
        m_.when(bit(sends_, u),
                [&] { m_.set(owner_[static_cast<std::size_t>(u)], input_ & replicate(p_.inputs, ~last_)); });
    });
    if (!vc_bits_) return;
    std::vector<Expr> vcs;
    for (const Round& r : round_)
      vcs.push_back(p_.iterations == 1 ? r.head_vc : r.head_vc & replicate(p_.vcs, r.taken));
    const Expr from =
        p_.iterations == 1 ? vcs[0] : m_.let("from_vc", sum(vcs), "VC of a head that leaves, one-hot");
    m_.clocked("The owner's VC; without an owner that of the next, should there be one.", [&] {
      for (int u = 0; u < p_.vcs; ++u)
        m_.when(~bit(owned_, u), [&] { m_.set(owner_vc_[static_cast<std::size_t>(u)], from); });
    });
  }

  void credits() {
    std::vector<Expr> back;
    for (int u = 0; u < p_.vcs; ++u)
      back.push_back(vc_bits_ ? credit_valid_ & (credit_vc_ == lit(vc_bits_, static_cast<unsigned>(u)))
                              : credit_valid_);
    const Expr returns = m_.let("returns", reversed(back), "VC that a credit comes back for, one-hot");
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
    m_.observe("owner_input", reversed(owner_), {{"VC", p_.vcs}, {"input", p_.inputs}});
    if (vc_bits_) m_.observe("owner_vc", reversed(owner_vc_), {{"VC", p_.vcs}});
    m_.observe("spent", reversed(spent_), {{"VC", p_.vcs}});
    if (vc_bits_) m_.observe("vc_pointer", pointer_position(vc_pointer_, p_.vcs, 1, vc_bits_));
    const int bits = rtl::clog2(static_cast<std::uint64_t>(input_vcs_) + 1);
    if (!head_pointer_.empty()) m_.observe("head_pointer", head_position(bits));
  }

  // The head pointer by its number; that of the input VCs where its bits say nothing.
  Expr head_position(int bits) const {
    const auto part = [&](const char* pin) {
      for (const Pointer& q : head_pointer_)
        if (q.pin == pin) return q.value;
      return Expr{};
    };
    const Expr after = part("after"), own = part("own"), behind = part("behind");
    const Expr next = after.known() ? pointer_position(after, p_.inputs, p_.vcs, bits) : lit(bits, 0);
    if (!behind.known()) return next;
    Expr here = pointer_position(behind, p_.vcs, 1, bits);
    if (own.known())
      here = rtl::mux(one_alone(own), scaled_number(own, p_.vcs, bits) + here,
                      lit(bits, static_cast<std::uint64_t>(input_vcs_)));
    return rtl::mux(rtl::any(behind), here, next);
  }

  const CrossbarParams& p_;
  rtl::Module& m_;
  int input_vcs_;
  HeadPointer pointer_bits_;
  int vc_bits_, source_bits_, width_;
  Expr heads_, holds_, ends_, words_, credit_valid_, credit_vc_;
  Expr valid_, vc_, head_, tail_, source_, word_;
  Expr vc_pointer_, vc_next_, owned_, credit_;
  Expr sends_, input_, first_, last_;
  std::vector<Pointer> head_pointer_;
  std::vector<Expr> owner_, owner_vc_, spent_;  // by VC
  std::vector<Round> round_;
};

}  // namespace

rtl::Module vc_output(const CrossbarParams& p) {
  rtl::Module m(
      fmt::format("vc_output_i{}_v{}_d{}_w{}_t{}", p.inputs, p.vcs, p.vc_depth, word_bits(p), p.iterations),
      fmt::format("One output of a crossbar: offers its {} VCs to heads and owners at {} inputs (DC-L1 "
                  "thesis, chapter 5).",
                  p.vcs, p.inputs));
  Builder(p, m).run();
  return m;
}

}  // namespace hw
