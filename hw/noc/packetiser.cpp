#include "hw/noc/packetiser.h"

#include <fmt/format.h>

#include <optional>

#include "hw/l1d/request_kind.h"
#include "hw/noc/packet.h"
#include "hw/prim/constant_modulus.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::replicate;

class PacketiserBuilder {
 public:
  PacketiserBuilder(const PacketParams& p, rtl::Module& m)
      : p_(p),
        m_(m),
        requests_(p.network == Network::request),
        flits_(flits_of_line(p)),
        vc_bits_(number_bits(p.vcs)),
        route_bits_(number_bits(p.ports)) {}

  void run() {
    ports();
    choose_flit();
    const auto vc = virtual_channel();
    const Expr can = credits(vc);
    m_.section("The flit.");
    const Expr asks = in_.valid & can;
    leaves_ = m_.let("leaves", p_.granted ? asks & (*out_)["grant"] : asks, "a flit leaves");
    m_.assign((*out_)["valid"], p_.granted ? asks : leaves_);
    m_.assign(in_.ready, flits_ == 1 ? leaves_ : leaves_ & last_);
    if (vc) m_.assign((*out_)["vc"], *vc);
    m_.assign((*out_)["head"], first_);
    m_.assign((*out_)["tail"], last_);
    if (destination_) m_.assign((*out_)["destination"], *destination_);
    m_.assign((*out_)["side"], side());
    m_.assign((*out_)["data"], data());
    remember();
  }

 private:
  void ports() {
    std::vector<rtl::Field> fields = message_fields(p_, p_.id_bits + (requests_ ? 0 : route_bits_));
    if (requests_ && route_bits_)
      fields.insert(fields.begin(),
                    rtl::Field{"destination", route_bits_, fmt::format("output, below {}", p_.ports)});
    in_ = rtl::input_stream(m_, "in", fields, "a message");
    out_.emplace(m_, "out", shape_of(p_, false), Link::Made::sender_ports);
    if (route_bits_)
      destination_ =
          requests_ ? in_["destination"] : in_["id"].slice(p_.id_bits + route_bits_ - 1, p_.id_bits);
    if (requests_)
      m_.unused("unused_offset", in_["address"].slice(number_bits(p_.line_bytes) - 1, 0),
                "packets are about lines");
  }

  // Bit g: flit g of the line is one of the message's.
  Expr wanted() {
    const int chunks = chunks_of_line(p_) / flits_;
    std::vector<Expr> bits;
    for (int g = flits_ - 1; g >= 0; --g)
      bits.push_back(any(in_["mask"].slice((g + 1) * chunks - 1, g * chunks)));
    const Expr by_mask = chunks == 1 ? in_["mask"] : cat(bits);
    if (!requests_) return p_.sectoring ? by_mask : replicate(flits_, any(in_["mask"]));
    const Expr load = is_kind(m_, in_["kind"], RequestKind::load);
    const Expr reads = is_kind(m_, in_["kind"], RequestKind::non_l1);
    return by_mask & replicate(flits_, ~load & ~(reads & ~any(in_["byte_enable"])));
  }

  // A value under a name; a port needs no second one.
  Expr net(const std::string& name, const Expr& value, const std::string& doc) {
    return value.node().kind == rtl::Node::Kind::signal ? value : m_.let(name, value, doc);
  }

  void choose_flit() {
    m_.section("Number of the flit in the message.");
    const Expr wanted_flits = net("wanted", wanted(), "flits of the line that the message has");
    if (flits_ == 1) {
      chosen_ = wanted_flits;
      first_ = last_ = lit(1, 1);
      return;
    }
    sent_ = m_.reg("sent_q", flits_, 0, "flits of this message that have left");
    left_ = m_.let("left", wanted_flits & ~sent_, "flits still to leave");
    chosen_ = lowest_of(m_, "chosen", left_, "the flit that is next, one-hot; none: one without data");
    first_ = m_.let("first", ~any(sent_), "the flit is the first of its packet");
    last_ = m_.let("last", ~any(left_ & ~chosen_), "the flit is the last of its packet");
  }

  // What spreads the packets of one output over VCs: the line of a request, the id of a reply.
  Number spread() const {
    if (!requests_) return {in_["id"], 0, p_.id_bits};
    const int offset = number_bits(p_.line_bytes);
    return {in_["address"], offset, p_.address_bits - offset};
  }

  std::optional<Expr> virtual_channel() {
    if (p_.vcs == 1) return {};
    m_.section("The packet's virtual channel.");
    const auto named = [&](const Expr& vc) { return net("vc", vc, "VC of the packet"); };
    if (p_.vc_select == VcSelect::line || p_.ports == 1)
      return named(remainder_of(m_, "line", spread(), p_.vcs));
    if (p_.ports >= p_.vcs) return named(remainder_of(m_, "destination", destination_number(), p_.vcs));
    const int sets = p_.vcs / p_.ports;
    const Expr first = route_bits_ < vc_bits_ ? rtl::zext(*destination_, vc_bits_) : *destination_;
    if (sets == 1) return named(first);
    const Expr turn = m_.let("turn", remainder_of(m_, "line", spread(), sets), "VC of the output");
    Expr vc = first;
    for (int shift = 0; p_.ports >> shift; ++shift)
      if (p_.ports >> shift & 1) {
        const Expr moved = shift ? cat({turn, lit(shift, 0)}) : turn;
        vc = vc + (moved.width() < vc_bits_ ? rtl::zext(moved, vc_bits_) : moved);
      }
    return named(vc);
  }

  Number destination_number() const {
    return requests_ ? Number{in_["destination"], 0, route_bits_}
                     : Number{in_["id"], p_.id_bits, route_bits_};
  }

  // Keeps the credits; whether the VC has one.
  Expr credits(const std::optional<Expr>& vc) {
    m_.section("Slots of the receiver.");
    const int width = number_bits(p_.vc_depth + 1);
    const auto depth = static_cast<unsigned>(p_.vc_depth);
    if (p_.vcs == 1) {
      credits_ = m_.reg("credits_q", width, depth, "free slots");
      return any(credits_);
    }
    std::uint64_t all_free = 0;  // at most 8 VCs of 16 slots
    for (int v = 0; v < p_.vcs; ++v) all_free |= std::uint64_t{depth} << v * width;
    const Expr reset = m_.constant("ALL_FREE", p_.vcs * width, all_free,
                                   fmt::format("{} free slots of each VC", p_.vc_depth));
    credits_ = m_.reg("credits_q", reset, "free slots of each VC, those of VC 0 lowest");
    const Expr ready = m_.wire("has_credit", p_.vcs, "VCs with a free slot");
    m_.comb("Where the receiver has a free slot.", [&] {
      m_.loop("of", p_.vcs, [&](const Expr& v) { m_.set(ready.at(v), any(credits_.part(v, width))); });
    });
    return m_.let("can_leave", ready.part_below(*vc, 1), "the packet's VC has one");
  }

  Expr side() const {
    std::vector<Expr> head;
    each_sideband_field(p_.sideband,
                        [&](const auto& field, int) { head.push_back(in_[std::string(field.name)]); });
    if (requests_) head.push_back(in_["kind"]);
    head.push_back(requests_ || !route_bits_ ? in_["id"] : in_["id"].slice(p_.id_bits - 1, 0));
    if (requests_) head.push_back(in_["address"].slice(p_.address_bits - 1, number_bits(p_.line_bytes)));
    head.push_back(in_["mask"]);
    Expr beside = cat(head);
    if (flits_ > 1) beside = beside & replicate(beside.width(), first_);
    if (!requests_) return beside;
    Expr bytes;
    for (int g = 0; g < flits_; ++g) {
      const Expr of_flit = in_["byte_enable"].slice((g + 1) * p_.flit_bytes - 1, g * p_.flit_bytes) &
                           replicate(p_.flit_bytes, chosen(g));
      bytes = g ? bytes | of_flit : of_flit;
    }
    return cat({beside, bytes});
  }

  Expr chosen(int g) const { return flits_ == 1 ? chosen_ : chosen_.bit(g); }

  // By AND and OR; chunks outside the mask are 0.
  Expr data() const {
    const int chunks = chunks_of_line(p_) / flits_, bits = 8 * p_.chunk_bytes;
    Expr word;
    for (int g = 0; g < flits_; ++g) {
      std::vector<Expr> parts;
      for (int c = (g + 1) * chunks - 1; c >= g * chunks; --c) {
        const Expr in_mask = chunks_of_line(p_) == 1 ? in_["mask"] : in_["mask"].bit(c);
        parts.push_back(in_["data"].slice((c + 1) * bits - 1, c * bits) &
                        replicate(bits, chosen(g) & in_mask));
      }
      word = g ? word | cat(parts) : cat(parts);
    }
    return word;
  }

  void remember() {
    const int width = number_bits(p_.vc_depth + 1);
    const auto count = [&](const Expr& q, const Expr& spent, const Expr& back) {
      m_.when(spent & ~back, [&] { m_.set(q, q - lit(width, 1)); }).otherwise([&] {
        m_.when(back & ~spent, [&] { m_.set(q, q + lit(width, 1)); });
      });
    };
    const Expr& back = (*out_)["credit_valid"];
    m_.clocked("A flit takes a credit of its VC, and the receiver gives it back.", [&] {
      if (p_.vcs == 1) return count(credits_, leaves_, back);
      m_.loop("v", p_.vcs, [&](const Expr& v) {
        const Expr number = v.slice(vc_bits_ - 1, 0);
        count(credits_.part(v, width), leaves_ & ((*out_)["vc"] == number),
              back & ((*out_)["credit_vc"] == number));
      });
    });
    if (flits_ == 1) return;
    m_.clocked("The last flit clears the way for the next message.", [&] {
      m_.when(leaves_, [&] { m_.set(sent_, rtl::mux(last_, lit(flits_, 0), sent_ | chosen_)); });
    });
  }

  const PacketParams& p_;
  rtl::Module& m_;
  bool requests_;
  int flits_, vc_bits_, route_bits_;
  rtl::Stream in_;
  std::optional<Link> out_;
  std::optional<Expr> destination_;  // where there are several
  Expr sent_, left_, chosen_, first_, last_, leaves_;
  Expr credits_;  // of all VCs, that of VC 0 lowest
};

}  // namespace

rtl::Module packetiser(const PacketParams& p, const std::string& name) {
  check(p);
  const bool requests = p.network == Network::request;
  rtl::Module m(name,
                fmt::format("Makes packets of {} for {} output{}; {} of {} byte{} a line (DC-L1 thesis, "
                            "chapter 5).",
                            requests ? "requests" : "replies", p.ports, p.ports == 1 ? "" : "s",
                            flits_of_line(p) == 1 ? "one flit" : fmt::format("{} flits", flits_of_line(p)),
                            p.flit_bytes, p.flit_bytes == 1 ? "" : "s"));
  PacketiserBuilder(p, m).run();
  return m;
}
}  // namespace hw
