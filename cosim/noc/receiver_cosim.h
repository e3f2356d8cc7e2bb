// Lock step of a receiver and its reference model, with properties that do not come from the model: every
// message comes out once, whole, in the order of heads; every flit's credit comes back once.
#pragma once
#include <array>
#include <deque>

#include "cosim/noc/packet_bits.h"
#include "golden/noc/packetiser.h"
#include "golden/noc/receiver.h"

namespace verif {

template <class Dut, hw::ReceiverParams Q>
class ReceiverBench {
 public:
  static constexpr hw::PacketParams P = Q.packet;
  static constexpr bool requests = P.network == hw::Network::request;
  static constexpr int id_bits = P.id_bits + (requests ? golden::bits_for(P.ports) : 0);
  using Golden = golden::Receiver<P>;
  using Flit = typename Golden::Flit;
  struct Inputs {
    bool rst = false;
    std::optional<Flit> in{};
    bool out_ready = false;
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.out().has_value();
      in.rst ? golden.reset() : golden.edge(in.in, in.out_ready);
    }
  };

  // Packets on several VCs at once, one flit a cycle; a packet may stop in the middle for a while. A slot
  // once
  // free stays free until the message has come.
  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      idle_ = std::array{1, 1, 3, 8}[draw() % 4];
      stall_ = std::array{0, 0, 3, 7}[draw() % 4];
      short_ = once_in(draw, 3);
      late_ = once_in(draw, 3) ? static_cast<int>(draw() % P.vcs) : -1;
    }
    Inputs in{.rst = once_in(draw, 4000)};
    not_full_ = not_full_ || draw() % 8 >= stall_;
    if (in.rst) return in;
    in.out_ready = not_full_;
    if (!once_in(draw, idle_)) return in;
    const int from = static_cast<int>(draw() % P.vcs);
    for (int n = 0; n < P.vcs; ++n) {
      const int v = (from + n) % P.vcs;
      if (credits_[at(v)] == 0 || (v == late_ && draw() % 16)) continue;
      if (coming_[at(v)].empty()) new_packet(draw, v);
      in.in = coming_[at(v)].front();
      return in;
    }
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    dut.in_valid = in.in.has_value();
    dut.out_ready = in.out_ready;
    if (!in.in) return;
    const Flit& f = *in.in;
    dut.in_head = f.head;
    dut.in_tail = f.tail;
    if constexpr (requires { dut.in_vc; }) dut.in_vc = static_cast<std::uint8_t>(f.vc);
    if constexpr (requires { dut.in_source; }) dut.in_source = static_cast<std::uint8_t>(f.port);
    put(dut.in_side, side_of<P>(f.load));
    put(dut.in_data, data_of(f.load));
  }

  static std::string words(const Inputs& in) {
    const std::string ready = fmt::format("out_ready {}", in.out_ready);
    if (!in.in) return ready;
    return fmt::format("vc{} {} from {} id {:#x} mask {:#x} data {:#x}.., {}", in.in->vc,
                       in.in->head ? (in.in->tail ? "single" : "head") : (in.in->tail ? "tail" : "body"),
                       in.in->port, in.in->load.id, in.in->load.mask, in.in->load.data[0], ready);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (in.rst) return {};
    dut.out_ready = !in.out_ready;
    dut.eval();
    const bool other = dut.out_valid;
    dut.out_ready = in.out_ready;
    dut.eval();
    if (other != static_cast<bool>(dut.out_valid)) return Difference{"out_valid depends on out_ready", 1, 0};
    const auto& credit = golden_.credit();
    if (dut.in_credit_valid != credit.has_value())
      return Difference{"in_credit_valid", dut.in_credit_valid, credit.has_value()};
    if constexpr (requires { dut.in_credit_vc; })
      if (credit && dut.in_credit_vc != *credit)
        return Difference{"in_credit_vc", dut.in_credit_vc, static_cast<std::uint64_t>(*credit)};
    const auto want = golden_.out();
    if (dut.out_valid != want.has_value()) return Difference{"out_valid", dut.out_valid, want.has_value()};
    if (!want) return {};
    const golden::Message got = message_of(dut);
    if (const auto d = differs("out", got, *want)) return d;
    if (expected_.empty()) return Difference{"out_valid of a message that nobody sent", 1, 0};
    return differs("of the scoreboard, out", got, expected_.front());
  }

  void edge(const Inputs& in) {
    const bool leaves = !in.rst && golden_.out() && in.out_ready;
    if (in.rst) {
      golden_.reset();
      forget();
      return;
    }
    first_ = golden_.order().empty() ? 0 : golden_.order().front();
    golden_.edge(in.in, in.out_ready);
    if (leaves) expected_.pop_front(), not_full_ = false;
    if (in.in) arrive(*in.in);
    if (golden_.credit()) ++credits_[at(*golden_.credit())];
    count();
    held_ = golden_.order().size();
  }

  void add_golden(Waves& waves) { waves.add_golden("packets", 8, &held_); }

  Goals goals() const {
    Goals all = seen_;
    all["the target has no not_full for a packet of each VC"] = queue_full_.all();
    all["each FIFO full"] = full_.all();
    all["a packet of each VC behind one of each"] = behind_.all();
    all["a packet from each source"] = sources_.all();
    // A packet of one flit is whole at once.
    if (hw::flits_of_line(P) > 1) all["each VC waits for a late flit"] = waited_.all();
    return all;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  void new_packet(std::mt19937_64& draw, int vc) {
    golden::Message m = drawn_message<P>(draw, P.id_bits, 64);
    for (int n = 0; n < 64 && short_ && std::popcount(flits_of(P, m)) > 1; ++n)
      m = drawn_message<P>(draw, P.id_bits, 64);
    const int source = requests ? static_cast<int>(draw() % P.ports) : 0;
    sent_[at(vc)] = as_received<P>(m);
    sent_[at(vc)].id |= static_cast<std::uint64_t>(source) << P.id_bits;
    golden::Packetiser<whole()> cut;
    for (bool last = false; !last;) {
      const auto out = cut.outputs(&m);
      cut.edge(&m, 0, {});
      Flit flit = *out.flit;
      flit.vc = vc;
      flit.port = source;
      coming_[at(vc)].push_back(flit);
      last = out.ready;
    }
    longest_[at(vc)] = static_cast<int>(coming_[at(vc)].size());
  }
  // A packetiser of the same packets that never waits.
  static constexpr hw::PacketParams whole() {
    hw::PacketParams p = P;
    p.ports = 1;
    p.vcs = 1;
    p.vc_depth = hw::flits_of_line(P);
    return p;
  }

  void arrive(const Flit& flit) {
    const std::size_t v = at(flit.vc);
    --credits_[v];
    coming_[v].pop_front();
    if (!flit.head) return;
    behind_.set(at(last_head_ * P.vcs + flit.vc));
    last_head_ = flit.vc;
    sources_.set(at(flit.port));
    expected_.push_back(sent_[v]);
    seen_["longest packet"] += longest_[v] == hw::flits_of_line(P);
  }

  void count() {
    const auto& step = golden_.last_step();
    if (step.waited_for_flit) waited_.set(at(first_));
    if (step.waited_for_ready) queue_full_.set(at(first_));
    for (int v = 0; v < P.vcs; ++v)
      if (golden_.held(v) == static_cast<std::size_t>(P.vc_depth)) full_.set(at(v));
    seen_["as many packets as flits"] += golden_.order().size() == at(P.vcs * P.vc_depth);
  }

  void forget() {
    ++seen_["reset"];
    for (auto& flits : coming_) flits.clear();
    credits_.fill(P.vc_depth);
    expected_.clear();
    not_full_ = false;
  }

  static golden::Message message_of(Dut& dut) {
    golden::Message m{.id = bits_of<64>(dut.out_id).to_ullong(),
                      .mask = static_cast<std::uint32_t>(bits_of<32>(dut.out_mask).to_ulong())};
    words_of(dut.out_data, m.data, 8 * P.line_bytes);
    if constexpr (requires { dut.out_kind; }) {
      m.kind = static_cast<golden::RequestKind>(dut.out_kind);
      m.address = bits_of<64>(dut.out_address).to_ullong();
      words_of(dut.out_byte_enable, m.byte_enable, P.line_bytes);
    }
    return m;
  }

  static std::optional<Difference> differs(const std::string& what, const golden::Message& got,
                                           const golden::Message& want) {
    if (got.id != want.id) return Difference{what + "_id", got.id, want.id};
    if (got.mask != want.mask) return Difference{what + "_mask", got.mask, want.mask};
    if (got.kind != want.kind)
      return Difference{what + "_kind", static_cast<std::uint64_t>(got.kind),
                        static_cast<std::uint64_t>(want.kind)};
    if (got.address != want.address) return Difference{what + "_address", got.address, want.address};
    for (std::size_t w = 0; w < got.byte_enable.size(); ++w)
      if (got.byte_enable[w] != want.byte_enable[w])
        return Difference{fmt::format("{}_byte_enable, word {}", what, w), got.byte_enable[w],
                          want.byte_enable[w]};
    for (std::size_t w = 0; w < got.data.size(); ++w)
      if (got.data[w] != want.data[w])
        return Difference{fmt::format("{}_data, word {}", what, w), got.data[w], want.data[w]};
    return {};
  }

  static constexpr std::array<int, P.vcs> all_credits() {
    std::array<int, P.vcs> credits{};
    credits.fill(P.vc_depth);
    return credits;
  }

  Golden golden_;
  Phase phase_;
  std::uint64_t idle_ = 1, stall_ = 0, held_ = 0;
  int late_ = -1, last_head_ = 0, first_ = 0;     // first_: VC whose packet is taken
  bool not_full_ = false, short_ = false;         // short_: packets of one flit
  std::array<std::deque<Flit>, P.vcs> coming_{};  // flits of a packet that have not arrived
  std::array<golden::Message, P.vcs> sent_{};     // it as a message
  std::array<int, P.vcs> longest_{};
  std::array<int, P.vcs> credits_ = all_credits();
  std::deque<golden::Message> expected_;  // by head
  std::bitset<P.vcs> queue_full_, full_, waited_;
  std::bitset<P.vcs * P.vcs> behind_;  // by VC of the packet before, and of the packet
  std::bitset<static_cast<std::size_t>(requests ? P.ports : 1)> sources_;
  Goals seen_{{"reset", 0}, {"longest packet", 0}, {"as many packets as flits", 0}};
};

}  // namespace verif
