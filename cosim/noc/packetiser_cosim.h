// Lock step of a packetiser and its reference model, with the rule of the stream, and properties that do not
// come from the model: no flit without a credit, packets unmixed, every flit of a message once and in order.
#pragma once
#include <array>

#include "cosim/noc/packet_bits.h"
#include "golden/noc/packetiser.h"
#include "golden/noc/receiver.h"

namespace verif {

template <class Dut, hw::PacketiserParams Q>
class PacketiserBench {
 public:
  static constexpr hw::PacketParams P = Q.packet;
  static constexpr bool requests = P.network == hw::Network::request;
  static constexpr int port_bits = golden::bits_for(P.ports), flits = hw::flits_of_line(P);
  using Golden = golden::Packetiser<P>;
  struct Inputs {
    bool rst = false;
    std::optional<golden::Message> in{};  // the id of a reply: {destination, id}
    int destination = 0;
    std::optional<int> credit{};
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs(message(in), in.destination).ready;
      in.rst ? golden.reset() : golden.edge(message(in), in.destination, in.credit);
    }
  };

  // A message stays until it is taken; credits come back late, soon, or for one VC not at all.
  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      idle_ = std::array{1, 1, 4}[draw() % 3];
      late_ = std::array{0, 0, 3, 7}[draw() % 4];
      stuck_ = once_in(draw, 4) ? static_cast<int>(draw() % P.vcs) : -1;
      lines_ = std::array{1, 8, 4000}[draw() % 3];
    }
    Inputs in{.rst = once_in(draw, 4000)};
    if (!waiting_ && once_in(draw, idle_)) {
      waiting_ = drawn_message<P>(draw, P.id_bits, lines_);
      destination_ = static_cast<int>(draw() % P.ports);
      if (!requests) waiting_->id |= static_cast<std::uint64_t>(destination_) << P.id_bits;
    }
    if (in.rst) return in;
    in.in = waiting_;
    in.destination = destination_;
    const int from = static_cast<int>(draw() % P.vcs);
    for (int n = 0; n < P.vcs && !in.credit && draw() % 8 >= late_; ++n)
      if (const int v = (from + n) % P.vcs; v != stuck_ && out_[at(v)] > 0) in.credit = v;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    dut.in_valid = in.in.has_value();
    dut.out_credit_valid = in.credit.has_value();
    if constexpr (requires { dut.out_credit_vc; })
      dut.out_credit_vc = static_cast<std::uint8_t>(in.credit.value_or(0));
    if (!in.in) return;
    const golden::Message& m = *in.in;
    put(dut.in_id, std::bitset<64>(m.id));
    put(dut.in_mask, std::bitset<32>(m.mask));
    put_words(dut.in_data, m.data, 8 * P.line_bytes);
    if constexpr (requires { dut.in_kind; }) {
      dut.in_kind = static_cast<std::uint8_t>(m.kind);
      put(dut.in_address, std::bitset<64>(m.address));
      put_words(dut.in_byte_enable, m.byte_enable, P.line_bytes);
    }
    if constexpr (requires { dut.in_destination; })
      dut.in_destination = static_cast<std::uint8_t>(in.destination);
  }

  static std::string words(const Inputs& in) {
    return fmt::format("{} to {}, credit {}", in.in ? text_of(*in.in) : "no message", in.destination,
                       in.credit.value_or(-1));
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) return {};
    shown_ = golden_.outputs(message(in), in.destination);
    const auto& flit = shown_.flit;
    if (dut.out_valid != flit.has_value()) return Difference{"out_valid", dut.out_valid, flit.has_value()};
    if (dut.in_ready != shown_.ready) return Difference{"in_ready", dut.in_ready, shown_.ready};
    if (!flit) return {};
    if (dut.out_head != flit->head) return Difference{"out_head", dut.out_head, flit->head};
    if (dut.out_tail != flit->tail) return Difference{"out_tail", dut.out_tail, flit->tail};
    if constexpr (requires { dut.out_vc; })
      if (dut.out_vc != flit->vc) return Difference{"out_vc", dut.out_vc, number(flit->vc)};
    if constexpr (requires { dut.out_destination; })
      if (dut.out_destination != flit->port)
        return Difference{"out_destination", dut.out_destination, number(flit->port)};
    if (const auto d = difference("out_side", bits_of<side_width<P>>(dut.out_side), side_of<P>(flit->load)))
      return d;
    if (const auto d = difference("out_data", bits_of<8 * P.flit_bytes>(dut.out_data), data_of(flit->load)))
      return d;
    return scoreboard(in, *flit);
  }

  void edge(const Inputs& in) {
    count(in);
    if (in.rst) {
      golden_.reset();
      waiting_.reset();
      out_ = {};
      exhausted_.reset();
      packet_.clear();
      return;
    }
    golden_.edge(message(in), in.destination, in.credit);
    if (shown_.flit) ++out_[at(shown_.flit->vc)];
    if (in.credit) --out_[at(*in.credit)];
    for (int v = 0; v < P.vcs; ++v) {
      if (out_[at(v)] == P.vc_depth) spent_.set(at(v)), exhausted_.set(at(v));
      if (out_[at(v)] == 0 && exhausted_[at(v)]) back_.set(at(v)), exhausted_.reset(at(v));
    }
    if (shown_.ready) waiting_.reset();
    sent_ = golden_.sent();
  }

  void add_golden(Waves& waves) { waves.add_golden("sent", 32, &sent_); }

  Goals goals() const {
    Goals all = seen_;
    all["each VC"] = vcs_.count() == vcs_used();
    all["a message waits for a credit of each VC"] = waits_.count() == vcs_used();
    all["each credit of a VC spent"] = spent_.count() == vcs_used();
    all["each credit of a VC back after that"] = back_.count() == vcs_used();
    all["each output"] = outputs_.all();
    // A packet of one flit waits as a head alone.
    if (flits > 1)
      all["a packet waits behind its head for a credit of each VC"] = stuck_behind_.count() == vcs_used();
    // Replies that go out whole have all flits or none.
    if (requests || P.sectoring) all["a packet of each length"] = lengths_.all();
    all["each flit of a line"] = flits_.all();
    return all;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static std::uint64_t number(int n) { return static_cast<std::uint64_t>(n); }
  static const golden::Message* message(const Inputs& in) { return in.in ? &*in.in : nullptr; }

  // Where outputs are fewer than VCs, the last ones may have no output.
  static constexpr std::size_t vcs_used() {
    const bool some = P.vc_select == hw::VcSelect::destination && P.ports < P.vcs;
    return static_cast<std::size_t>(some ? P.vcs / P.ports * P.ports : P.vcs);
  }

  // A receiver that gets the flits must find the message.
  std::optional<Difference> scoreboard(const Inputs& in, const typename Golden::Flit& flit) {
    if (out_[at(flit.vc)] >= P.vc_depth) return Difference{"out_valid without a credit", 1, 0};
    if (flit.head != packet_.empty())
      return Difference{"out_head within a packet", flit.head, packet_.empty()};
    packet_.push_back(flit);
    if (!flit.tail) return {};
    golden::Receiver<one_source()> receiver;
    std::optional<golden::Message> got;
    for (typename Golden::Flit f : packet_) {
      f.port = 0;
      receiver.edge(f, true);
      got = receiver.out();
    }
    packet_.clear();
    golden::Message want = as_received<P>(*in.in);
    want.id &= (std::uint64_t{1} << P.id_bits) - 1;
    if (!got || *got != want)
      return Difference{"message of the flits, of the scoreboard", got ? got->id : 0, want.id};
    return {};
  }

  static constexpr hw::PacketParams one_source() {
    hw::PacketParams p = P;
    p.ports = 1;
    p.vc_depth = 16;
    return p;
  }

  void count(const Inputs& in) {
    seen_["reset"] += in.rst;
    if (in.rst) return;
    const bool waits = in.in && !shown_.flit;
    if (waits) waits_.set(at(vc_of(in)));
    if (waits && !packet_.empty()) stuck_behind_.set(at(vc_of(in)));
    if (!shown_.flit) return;
    vcs_.set(at(shown_.flit->vc));
    outputs_.set(at(shown_.flit->port));
    const std::uint32_t all = flits_of(P, *in.in), left = all & ~golden_.sent();
    if (left) flits_.set(at(std::countr_zero(left)));
    if (shown_.ready) lengths_.set(at(std::max(std::popcount(all), 1) - 1));
  }

  static int vc_of(const Inputs& in) {
    const golden::Message& m = *in.in;
    if (requests) return Golden::vc_of(in.destination, m.address / P.line_bytes);
    return Golden::vc_of(static_cast<int>(m.id >> P.id_bits), m.id & ((std::uint64_t{1} << P.id_bits) - 1));
  }

  Golden golden_;
  Phase phase_;
  std::uint64_t idle_ = 1, late_ = 0, lines_ = 8, sent_ = 0;
  int stuck_ = -1;  // a VC without credits
  std::optional<golden::Message> waiting_;
  int destination_ = 0;
  typename Golden::Out shown_;
  std::array<int, P.vcs> out_{};  // flits whose credits are away
  std::vector<typename Golden::Flit> packet_;
  std::bitset<8> vcs_, waits_, stuck_behind_, spent_, exhausted_, back_;
  std::bitset<P.ports> outputs_;
  std::bitset<static_cast<std::size_t>(flits)> flits_, lengths_;  // lengths: less one
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
