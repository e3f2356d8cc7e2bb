// The packetiser: which flits a message has, VCs and credits, in golden; lock step.
#include "golden/noc/packetiser.h"

#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::Nets, verif::high, verif::inverted, verif::low, verif::other;

using golden::Message;
using golden::RequestKind;
using hw::Network;

// Flits of a message while credits last.
template <hw::PacketParams P>
auto cut(golden::Packetiser<P>& p, const Message& m, int destination = 0) {
  std::vector<typename golden::Packetiser<P>::Flit> flits;
  for (auto out = p.outputs(&m, destination); out.flit; out = p.outputs(&m, destination)) {
    flits.push_back(*out.flit);
    p.edge(&m, destination, {});
    if (out.ready) break;
  }
  return flits;
}

constexpr hw::PacketParams request{}, reply{.network = Network::reply};

template <hw::PacketParams P>
std::size_t flits(const Message& m) {
  golden::Packetiser<P> p;
  return cut<P>(p, m).size();
}

std::vector<std::string> flags(const char* network, const std::vector<std::string>& more) {
  std::vector<std::string> all{fmt::format("packet.network={}", network)};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST(Packetiser, GoldenFlitsOfEachKind) {
  Message m{.mask = 0b1010};
  EXPECT_EQ(flits<request>(m), 1u);
  m.kind = RequestKind::store;
  EXPECT_EQ(flits<request>(m), 2u);
  m.mask = 0b1111;
  EXPECT_EQ(flits<request>(m), 4u);
  m.kind = RequestKind::atomic;
  EXPECT_EQ(flits<request>(m), 4u);
  m.kind = RequestKind::non_l1;
  EXPECT_EQ(flits<request>(m), 1u);
  m.byte_enable[0] = 1;
  EXPECT_EQ(flits<request>(m), 4u);
}

TEST(Packetiser, GoldenRepliesGoByTheMaskOrWhole) {
  constexpr hw::PacketParams whole{.network = Network::reply, .sectoring = false};
  for (const auto& [mask, sectored, all] :
       {std::tuple{0u, 1u, 1u}, std::tuple{0b0100u, 1u, 4u}, std::tuple{0b1011u, 3u, 4u}}) {
    EXPECT_EQ(flits<reply>({.mask = mask}), sectored);
    EXPECT_EQ(flits<whole>({.mask = mask}), all);
  }
}

TEST(Packetiser, GoldenHeadCarriesTheHeaderAndEveryFlitItsEnables) {
  Message m{.kind = RequestKind::store, .id = 0x5a, .address = 0x1234'5680, .mask = 0b1010};
  m.byte_enable[0] = 0xf0ull << 32;  // byte 4 of flit 1
  m.byte_enable[1] = 0x3ull << 32;   // byte 0 of flit 3
  m.data[4] = 11;
  m.data[12] = 33;
  m.data[0] = 99;  // outside the mask
  golden::Packetiser<request> p;
  const auto f = cut<request>(p, m, 2);
  ASSERT_EQ(f.size(), 2u);
  EXPECT_TRUE(f[0].head && !f[0].tail && !f[1].head && f[1].tail);
  EXPECT_EQ(f[0].port, 2);
  EXPECT_EQ(f[1].port, 2);
  EXPECT_EQ(f[0].load.id, 0x5au);
  EXPECT_EQ(f[0].load.line, 0x1234'5680u / 128);
  EXPECT_EQ(f[0].load.mask, 0b1010u);
  EXPECT_EQ(f[1].load.id + f[1].load.line + f[1].load.mask, 0u);
  EXPECT_EQ(f[0].load.byte_enable[0], 0xf0u);
  EXPECT_EQ(f[1].load.byte_enable[0], 0x3u);
  EXPECT_EQ(f[0].load.data[0], 11u);
  EXPECT_EQ(f[1].load.data[0], 33u);
}

TEST(Packetiser, GoldenVcs) {
  using FewOutputs = golden::Packetiser<hw::PacketParams{.ports = 3, .vcs = 8}>;
  EXPECT_EQ(FewOutputs::vc_of(2, 5), 2 + 3 * 1);  // floor(8 / 3) = 2 VCs an output
  using ManyOutputs = golden::Packetiser<hw::PacketParams{.ports = 10, .vcs = 4}>;
  EXPECT_EQ(ManyOutputs::vc_of(7, 5), 3);
  using ByLine = golden::Packetiser<hw::PacketParams{.ports = 3, .vcs = 8, .vc_select = hw::VcSelect::line}>;
  EXPECT_EQ(ByLine::vc_of(2, 13), 5);
}

TEST(Packetiser, GoldenWaitsForCredits) {
  constexpr hw::PacketParams two{.network = Network::reply, .vcs = 4, .vc_depth = 2};
  golden::Packetiser<two> p;
  const Message m{.id = 0x300, .mask = 0b0111};  // destination 3
  EXPECT_EQ(cut<two>(p, m).size(), 2u);
  EXPECT_FALSE(p.outputs(&m).ready);
  p.edge(&m, 0, 3);  // counts from the next cycle
  const auto last = p.outputs(&m);
  ASSERT_TRUE(last.flit);
  EXPECT_TRUE(last.ready && last.flit->tail && !last.flit->head);
  EXPECT_EQ(last.flit->port, 3);
}

TEST(Packetiser, LockStep) {
  for (const char* network : {"request", "reply"})
    for (const auto& more : verif::first_of<std::vector<std::string>>(
             3, {{},
                 {"packet.outputs=3", "crossbar.vcs=8", "geometry.chunk_bytes=8"},
                 {"packet.outputs=32", "topology.vc_select=line", "node.sectoring=false", "crossbar.vcs=3"},
                 {"packet.outputs=1", "crossbar.vcs=1", "crossbar.vc_depth=1"},
                 {"packet.outputs=10", "crossbar.flit_bytes=128", "packet.id_bits=20"}}))
      verif::expect_same("packetiser", flags(network, more), 50'000, verif::fresh_seed(6));
}

TEST(Packetiser, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"forgets_what_has_left", "", "sent_q", "sent_q | chosen", other("chosen")},
      {"taken_too_early", "", "in_ready", "last", high()},
      {"credit_of_another_vc", "", "can_leave", "",
       [](const Expr&, const Nets& net) { return rtl::any(net("has_credit")); }},
      {"credits_are_lost", "", "credits_q", "credits_q[v * 3 +: 3] + 3'd1", low()},
      {"header_on_each_flit", "", "out_side", "first", high()},
      {"heads_for_tails", "", "out_tail", "", other("first")},
      {"loads_past_the_cache_with_data", "", "wanted", "~(|in_byte_enable)", high()},
      {"another_vc", "", "out_vc", "", inverted()}};
  verif::expect_all_found("packetiser", {}, faults);
}
