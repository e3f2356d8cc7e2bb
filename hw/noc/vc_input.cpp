#include "hw/noc/vc_input.h"

#include <fmt/format.h>

#include "hw/noc/islip_search.h"
#include "hw/noc/round_robin.h"
#include "hw/noc/vc_queue.h"
#include "hw/rtl/optional.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate;

class VcInputBuilder {
 public:
  VcInputBuilder(const CrossbarParams& p, const rtl::Size& width, rtl::Module& m)
      : p_(p),
        m_(m),
        vc_bits_(rtl::clog2(static_cast<std::uint64_t>(p.vcs))),
        port_bits_(rtl::clog2(static_cast<std::uint64_t>(p.outputs))),
        width_(width) {}

  void run() {
    ports();
    queues();
    accept();
    m_.section("The flit that leaves, and its credit.");
    m_.comb("The flit that leaves.", [&] {
      m_.set(word_, lit(width_, 0));
      m_.loop("from", p_.vcs, [&](const Expr& v) {
        m_.set(word_, word_ | (fronts_.part(v, width_) & replicate(width_, vc_of(pop_, v))));
      });
    });
    const Expr valid = m_.reg("credit_valid_q", 1, 0, "a flit has left");
    m_.assign(credit_valid_, valid);
    if (p_.vcs == 1) {
      m_.clocked("A credit goes back with the flit.", [&] { m_.set(valid, pop_); });
      return;
    }
    const Expr vc = m_.data_reg("credit_vc_q", vc_bits_, "VC whose slot is free again");
    const Expr number = m_.wire("popped", vc_bits_, "VC that a flit leaves");
    m_.comb("The number of that VC.", [&] {
      m_.set(number, lit(vc_bits_, 0));
      m_.loop("n", p_.vcs, [&](const Expr& v) {
        m_.set(number, number | (v.slice(vc_bits_ - 1, 0) & replicate(vc_bits_, pop_.at(v))));
      });
    });
    m_.assign(credit_vc_, vc);
    m_.clocked("A credit goes back with the flit.", [&] { m_.set(valid, rtl::any(pop_)); });
    m_.clocked("Name the VC of the credit.", [&] { m_.set(vc, number); });
  }

 private:
  Expr vc_of(const Expr& bits, const Expr& v) const { return p_.vcs == 1 ? bits : bits.at(v); }

  void ports() {
    valid_ = m_.input("valid", 1, "a flit enters");
    if (vc_bits_) vc_ = m_.input("vc", vc_bits_, "VC of the flit");
    head_ = m_.input("head", 1, "the flit is the first of its packet");
    tail_ = m_.input("tail", 1, "the flit is the last of its packet");
    if (port_bits_) destination_ = m_.input("destination", port_bits_, "output of its packet, on a head");
    entering_ = m_.input("entering", width_, "side and data of the flit");
    credit_valid_ = m_.output("credit_valid", 1, "a flit has left its queue");
    if (vc_bits_) credit_vc_ = m_.output("credit_vc", vc_bits_, "the queue's VC");
    holds_ = m_.output("holds", p_.vcs, "VCs with a flit in front");
    if (p_.outputs > 1) empty_ = m_.output("empty", p_.vcs, "VCs without, from registers of their own");
    heads_ = m_.output("heads", p_.outputs * p_.vcs, "bit j*V + v: VC v has a head for output j in front");
    ends_ = m_.output("ends", p_.outputs, "output that the last flit of a packet leaves for, one-hot");
    for (int t = 1; t <= p_.iterations; ++t) {
      offer_.push_back(m_.input(fmt::format("offer_{}", t), p_.outputs, "outputs that offer"));
      offer_vc_.push_back(m_.input(fmt::format("offer_vc_{}", t), p_.outputs * p_.vcs,
                                   "bit j*V + v: should output j offer, then to VC v"));
      accepted_.push_back(
          m_.output(fmt::format("accepted_{}", t), p_.outputs, "output whose offer is taken"));
      if (t > 1) open_.push_back(m_.output(fmt::format("open_{}", t), 1, "there is no match yet"));
    }
    word_ = m_.output("word", width_, "side and data of the flit that leaves; 0 when none does");
  }

  void queues() {
    m_.section("A queue for each VC.");
    pop_ = m_.wire("pop", p_.vcs, "VC whose front leaves at this edge, one-hot");
    last_ = m_.wire("last", p_.vcs, "VCs whose front is the last of its packet");
    const Expr push = m_.wire("push", p_.vcs, "VC that a flit enters, one-hot");
    fronts_ = m_.wire("fronts", p_.vcs * width_, "side and data of the fronts");
    const Expr wanted = m_.wire("wanted", p_.vcs * p_.outputs, "bit v*J + j: VC v has a head for output j");
    if (p_.vcs == 1) {
      m_.assign(push, valid_);
      queue("queue", push, pop_, holds_, empty_, wanted, last_, fronts_);
    } else {
      for (int v = 0; v < p_.vcs; ++v)
        m_.assign(push.bit(v), valid_ & (vc_ == lit(vc_bits_, static_cast<unsigned>(v))));
      m_.repeat("each_vc", p_.vcs, "The queues.", [&](const Expr& v) {
        queue("queue", push.at(v), pop_.at(v), holds_.at(v),
              empty_ ? rtl::Optional(empty_->at(v)) : rtl::Optional(), wanted.part(v, p_.outputs),
              last_.at(v), fronts_.part(v, width_));
      });
    }
    for (int j = 0; j < p_.outputs; ++j) {
      std::vector<Expr> bits;
      for (int v = p_.vcs - 1; v >= 0; --v)
        bits.push_back(wanted.width() == 1 ? wanted : wanted.bit(v * p_.outputs + j));
      m_.assign(heads_.width() == 1 ? heads_ : heads_.slice((j + 1) * p_.vcs - 1, j * p_.vcs), cat(bits));
    }
  }

  void queue(const char* name, const Expr& push, const Expr& pop, const Expr& holds,
             const rtl::Optional& empty, const Expr& heads, const Expr& last, const Expr& front) {
    std::vector<std::pair<std::string, Expr>> pins{
        {"push", push}, {"pop", pop}, {"head", head_}, {"tail", tail_}};
    if (port_bits_) pins.emplace_back("destination", destination_);
    pins.insert(pins.end(),
                {{"word", entering_}, {"holds", holds}, {"heads", heads}, {"last", last}, {"front", front}});
    if (empty) pins.emplace_back("empty", *empty);
    m_.instance(vc_queue(p_, width_), name, pins, "Flits of one VC.");
  }

  // In each iteration the first offer at or after the pointer, until there is a match.
  void accept() {
    m_.section("The output whose offer is accepted.");
    const int bits = pointer_bits(p_.outputs);
    rtl::Optional pointer, next;
    if (bits) {
      pointer = m_.reg("accept_pointer_q", bits, 0, "outputs behind the last that was accepted");
      m_.observe("accept_pointer", pointer_position(*pointer, p_.outputs, 1, port_bits_));
      next = m_.wire("accept_pointer_next", bits, "pointer after this cycle");
    }
    std::vector<Expr> popped;
    std::vector<rtl::Optional> ends(static_cast<std::size_t>(p_.outputs));
    rtl::Optional matched;
    for (int t = 1; t <= p_.iterations; ++t) {
      const Expr& offer = offer_[static_cast<std::size_t>(t - 1)];
      const Expr& accepted = accepted_[static_cast<std::size_t>(t - 1)];
      if (t > 1) m_.assign(open_[static_cast<std::size_t>(t - 2)], ~*matched);
      if (p_.outputs == 1) {
        m_.assign(accepted, offer);
      } else {
        std::vector<std::pair<std::string, Expr>> pins{{"request", offer}, {"pointer", *pointer}};
        pins.emplace_back("grant", accepted);
        if (t == 1) pins.emplace_back("next", *next);
        m_.instance(islip_search(p_.outputs, t == 1 ? Moves::each : Moves::no, false),
                    fmt::format("accept_{}", t), pins, "The first of them at or after the pointer.");
      }
      for (int j = 0; j < p_.outputs; ++j) {
        const Expr vc = part(offer_vc_[static_cast<std::size_t>(t - 1)], j);
        const Expr here = p_.outputs == 1 ? accepted : accepted.bit(j);
        popped.push_back(vc & replicate(p_.vcs, here));
        ends[static_cast<std::size_t>(j)] |= here & rtl::any(vc & last_);
      }
      if (t < p_.iterations) {
        matched |= rtl::any(offer);
        matched = m_.let(fmt::format("matched_{}", t), *matched,
                         fmt::format("there is a match after iteration {}", t));
      }
    }
    Expr pop = popped[0];
    for (std::size_t k = 1; k < popped.size(); ++k) pop = pop | popped[k];
    m_.assign(pop_, pop);
    std::vector<Expr> highest_first;
    for (std::size_t j = ends.size(); j-- > 0;) highest_first.push_back(*ends[j]);
    m_.assign(ends_, cat(highest_first));
    if (bits)
      m_.clocked("The pointer moves past an output that was accepted in the first iteration.",
                 [&] { m_.set(*pointer, *next); });
  }

  Expr part(const Expr& bits, int j) const {
    return bits.width() == 1 ? bits : bits.slice((j + 1) * p_.vcs - 1, j * p_.vcs);
  }

  const CrossbarParams& p_;
  rtl::Module& m_;
  int vc_bits_, port_bits_;
  rtl::Size width_;
  rtl::Optional empty_;  // where there are several outputs
  Expr valid_, vc_, head_, tail_, destination_, entering_, credit_valid_, credit_vc_, holds_, heads_, ends_,
      word_;
  Expr pop_, last_, fronts_;
  std::vector<Expr> offer_, offer_vc_, accepted_, open_;  // by iteration
};

}  // namespace

rtl::Module vc_input(const CrossbarParams& p) {
  rtl::Module m(
      fmt::format("vc_input_o{}_v{}_d{}_w{}_t{}", p.outputs, p.vcs, p.vc_depth, word_bits(p), p.iterations),
      fmt::format("One input of a crossbar: a queue for each of {} VCs, and the choice among the offers "
                  "of {} outputs (DC-L1 thesis, chapter 5).",
                  p.vcs, p.outputs));
  m.cell(fmt::format("vc_input_o{}_v{}_d{}_t{}", p.outputs, p.vcs, p.vc_depth, p.iterations));
  VcInputBuilder(p, m.parameter("WIDTH", word_bits(p), 8, "side and data of a flit"), m).run();
  return m;
}

}  // namespace hw
