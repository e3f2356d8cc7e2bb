#include "hw/noc/receiver.h"

#include <fmt/format.h>

#include <optional>

#include "hw/noc/packet.h"
#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

class ReceiverBuilder {
 public:
  ReceiverBuilder(const PacketParams& p, rtl::Module& m)
      : p_(p),
        m_(m),
        requests_(p.network == Network::request),
        flits_(flits_of_line(p)),
        source_bits_(requests_ ? number_bits(p.ports) : 0),
        data_bits_(8 * p.flit_bytes) {}

  void run() {
    in_.emplace(m_, "in", shape_of(p_, true), Link::Made::sink_ports);
    out_ = rtl::output_stream(m_, "out", message_fields(p_, p_.id_bits + source_bits_), "a message");
    queues();
    look();
    if (flits_ == 1)
      whole_message();
    else
      assemble();
    give_back();
  }

 private:
  void queues() {
    m_.section("A queue for each VC, and one of the VCs in the order of their heads.");
    std::vector<Expr> word{(*in_)["tail"], (*in_)["head"]};
    if (source_bits_) word.push_back((*in_)["source"]);
    word.push_back((*in_)["side"]);
    word.push_back((*in_)["data"]);
    const Expr arrives = cat(word);
    word_bits_ = arrives.width();
    holds_ = m_.wire("holds", p_.vcs, "VCs with a flit in front");
    fronts_ = m_.wire(p_.vcs == 1 ? "front" : "fronts", p_.vcs * word_bits_,
                      p_.vcs == 1 ? "the received flit: {tail, head, source, side, data}"
                                  : "the received flits: {tail, head, source, side, data}");
    const Expr not_full = m_.wire("not_full", p_.vcs, "VCs that are not full; their credits say so too");
    m_.unused("unused_not_full", not_full, "senders keep to their credits");
    taken_ = m_.wire("taken", p_.vcs, "VC whose flit is taken, one-hot");
    const int vc_bits = number_bits(p_.vcs);
    const auto queue = [&](const Expr& comes, const Expr& open, const Expr& holds, const Expr& taken,
                           const Expr& front) {
      m_.instance(fifo(p_.vc_depth, word_bits_), "queue",
                  {{"in_valid", comes},
                   {"in_ready", open},
                   {"in_data", arrives},
                   {"out_valid", holds},
                   {"out_ready", taken},
                   {"out_data", front}},
                  "Flits of one VC.");
    };
    if (p_.vcs == 1) return queue((*in_)["valid"], not_full, holds_, taken_, fronts_);
    const Expr comes = m_.wire("comes", p_.vcs, "VC of the flit that enters, one-hot");
    m_.comb("The VC of the flit that enters.", [&] {
      m_.loop("to", p_.vcs, [&](const Expr& v) {
        m_.set(comes.at(v), (*in_)["valid"] & ((*in_)["vc"] == v.slice(vc_bits - 1, 0)));
      });
    });
    m_.repeat("each_vc", p_.vcs, "The queues.", [&](const Expr& v) {
      queue(comes.at(v), not_full.at(v), holds_.at(v), taken_.at(v), fronts_.part(v, word_bits_));
    });
    first_there_ = m_.wire("first_there", 1, "there is a packet");
    first_ = m_.wire("first", vc_bits, "VC of the packet whose head arrived first");
    leaves_ = m_.wire("leaves", 1, "the last flit of the packet is taken");
    const Expr order_not_full = m_.wire("order_not_full", 1, "the order is never full");
    m_.unused("unused_order_not_full", order_not_full, "there are as many slots as flits");
    m_.instance(fifo(p_.vcs * p_.vc_depth, vc_bits), "order",
                {{"in_valid", (*in_)["valid"] & (*in_)["head"]},
                 {"in_ready", order_not_full},
                 {"in_data", (*in_)["vc"]},
                 {"out_valid", first_there_},
                 {"out_ready", leaves_},
                 {"out_data", first_}},
                "VCs of the packets that are here, in the order of their heads.");
  }

  Expr part(int high, int low) const { return front_.slice(high, low); }

  // The next flit of the first packet.
  void look() {
    m_.section("The next flit of the first packet.");
    front_ = p_.vcs == 1 ? fronts_
                         : m_.let("front", fronts_.part_below(first_, word_bits_),
                                  "{tail, head, source, side, data}");
    const Expr there =
        p_.vcs == 1 ? holds_
                    : m_.let("there", first_there_ & holds_.part_below(first_, 1), "the flit is there");
    tail_ = part(word_bits_ - 1, word_bits_ - 1);
    head_ = part(word_bits_ - 2, word_bits_ - 2);
    takes_ = m_.let("takes", flits_ == 1 ? there & out_.ready : there & (~head_ | out_.ready),
                    "the flit is taken: a head only into a free entry");
    m_.assign(out_.valid, flits_ == 1 ? there : there & tail_);
    if (p_.vcs == 1) {
      m_.assign(taken_, takes_);
    } else {
      m_.assign(leaves_, flits_ == 1 ? takes_ : takes_ & tail_);
      m_.comb("The VC whose flit is taken.", [&] {
        m_.loop("of", p_.vcs, [&](const Expr& v) {
          m_.set(taken_.at(v), takes_ & (first_ == v.slice(first_.width() - 1, 0)));
        });
      });
    }
    if (flits_ == 1) m_.unused("unused_ends", part(word_bits_ - 1, word_bits_ - 2), "each flit is a packet");
  }

  // Bits of the front: the head's fields from the top, byte enables and data below.
  int bytes_low() const { return data_bits_; }
  int mask_low() const { return data_bits_ + (requests_ ? p_.flit_bytes : 0); }
  int line_low() const { return mask_low() + chunks_of_line(p_); }
  int line_bits() const { return p_.address_bits - number_bits(p_.line_bytes); }
  int id_low() const { return line_low() + (requests_ ? line_bits() : 0); }
  int kind_low() const { return id_low() + p_.id_bits; }
  Expr mask() const { return part(line_low() - 1, mask_low()); }
  Expr id() const {
    const Expr low = part(kind_low() - 1, id_low());
    return source_bits_ ? cat({part(word_bits_ - 3, word_bits_ - 2 - source_bits_), low}) : low;
  }
  Expr kind() const { return part(kind_low() + 1, kind_low()); }
  template <class Visit>
  void each_sideband(const Visit& visit) const {
    int low = kind_low() + 2 + sum_of_bits(p_.sideband);
    each_sideband_field(p_.sideband, [&](const auto& field, int bits) {
      low -= bits;
      visit(field, part(low + bits - 1, low));
    });
  }
  Expr line() const { return part(id_low() - 1, line_low()); }
  Expr bytes() const { return part(mask_low() - 1, bytes_low()); }
  Expr data() const { return part(data_bits_ - 1, 0); }
  Expr address(const Expr& line) const { return cat({line, lit(number_bits(p_.line_bytes), 0)}); }

  void whole_message() {
    m_.section("The message.");
    m_.assign(out_["id"], id());
    m_.assign(out_["mask"], mask());
    m_.assign(out_["data"], data());
    if (!requests_) return;
    m_.assign(out_["kind"], kind());
    m_.assign(out_["address"], address(line()));
    m_.assign(out_["byte_enable"], bytes());
    each_sideband(
        [&](const auto& field, const Expr& value) { m_.assign(out_[std::string(field.name)], value); });
  }

  // Where the flits of a packet with this mask go.
  Expr positions(const Expr& mask) const {
    if (!requests_ && !p_.sectoring) return replicate(flits_, any(mask));
    const int chunks = chunks_of_line(p_) / flits_;
    std::vector<Expr> bits;
    for (int g = flits_ - 1; g >= 0; --g)
      bits.push_back(any(part(mask_low() + (g + 1) * chunks - 1, mask_low() + g * chunks)));
    return chunks == 1 ? mask : cat(bits);
  }

  // A field of the head: from the flit, or as kept from it.
  void head_field(const std::string& port, const Expr& value, const std::string& doc) {
    const Expr kept = m_.data_reg("kept_" + port + "_q", value.width(), doc);
    const Expr now = mux(head_, value, kept);
    if (port == "line")
      m_.assign(out_["address"], address(now));
    else
      m_.assign(out_[port], now);
    keep_.emplace_back(kept, value);
  }

  void assemble() {
    m_.section("The message: its head's fields, and each flit at its position.");
    head_field("id", id(), "id of the packet that is being taken");
    if (requests_) {
      head_field("kind", kind(), "kind of the request");
      head_field("line", line(), "line of the request");
    }
    each_sideband([&](const auto& field, const Expr& value) {
      head_field(std::string(field.name), value, std::string(field.doc));
    });
    head_field("mask", mask(), "mask of the request");
    const Expr coming = m_.data_reg("coming_q", flits_, "positions of its flits that are still to come");
    const Expr expected = m_.let("expected", mux(head_, positions(mask()), coming),
                                 "positions of this flit and those behind it");
    const Expr here = lowest_of(m_, "here", expected, "position of this flit, one-hot; none: it has no data");
    const std::vector<Expr> lines = collect("data", data(), here);
    m_.assign(out_["data"], cat(lines));
    if (requests_) m_.assign(out_["byte_enable"], cat(collect("byte_enable", bytes(), here)));
    m_.clocked("Keep what the head says.", [&] {
      m_.when(takes_ & head_, [&] {
        for (const auto& [kept, value] : keep_) m_.set(kept, value);
      });
    });
    m_.clocked("Positions still to come.",
               [&] { m_.when(takes_, [&] { m_.set(coming, expected & ~here); }); });
  }

  // The parts of a line, the last first. What came before is kept; the last position only ever comes last.
  std::vector<Expr> collect(const std::string& field, const Expr& value, const Expr& here) {
    std::vector<Expr> parts, kept;
    const auto now = [&](int g) { return value & replicate(value.width(), here.bit(g)); };
    for (int g = 0; g + 1 < flits_; ++g)
      kept.push_back(m_.data_reg(fmt::format("kept_{}{}_q", field, g), value.width(),
                                 fmt::format("{} of position {}, 0 until its flit comes", field, g)));
    parts.push_back(now(flits_ - 1));
    for (int g = flits_ - 2; g >= 0; --g) {
      const Expr& before = kept[static_cast<std::size_t>(g)];
      parts.push_back(mux(here.bit(g), value, before & replicate(value.width(), ~head_)));
    }
    m_.clocked(fmt::format("Keep {} until the last flit.", field), [&] {
      for (int g = 0; g + 1 < flits_; ++g)
        m_.when(takes_ & (head_ | here.bit(g)), [&] { m_.set(kept[static_cast<std::size_t>(g)], now(g)); });
    });
    return parts;
  }

  void give_back() {
    m_.section("Credits.");
    const Expr valid = m_.reg("credit_valid_q", 1, 0, "a flit was taken in the cycle before");
    m_.assign((*in_)["credit_valid"], valid);
    m_.clocked("Give a credit back.", [&] { m_.set(valid, takes_); });
    if (p_.vcs == 1) return;
    const Expr vc = m_.data_reg("credit_vc_q", number_bits(p_.vcs), "VC whose slot is free again");
    m_.assign((*in_)["credit_vc"], vc);
    m_.clocked("VC of the credit that is given back.", [&] { m_.set(vc, first_); });
  }

  const PacketParams& p_;
  rtl::Module& m_;
  bool requests_;
  int flits_, source_bits_, data_bits_, word_bits_ = 0;
  std::optional<Link> in_;
  rtl::Stream out_;
  Expr holds_, fronts_, taken_, first_there_, first_, leaves_, front_, tail_, head_, takes_;
  std::vector<std::pair<Expr, Expr>> keep_;
};

}  // namespace

rtl::Module receiver(const PacketParams& p, const std::string& name) {
  check(p);
  const bool requests = p.network == Network::request;
  rtl::Module m(name, fmt::format("Puts {} together from the flits of {} VC{}, in the order of their heads "
                                  "(DC-L1 thesis, chapter 5).",
                                  requests ? "requests" : "replies", p.vcs, p.vcs == 1 ? "" : "s"));
  ReceiverBuilder(p, m).run();
  return m;
}

}  // namespace hw
