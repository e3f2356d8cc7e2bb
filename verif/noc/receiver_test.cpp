// The receiver: packets in the order of their heads, credits, when a message is complete, in golden; lock
// step.
#include "golden/noc/receiver.h"

#include "golden/noc/packetiser.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::low, verif::other;

using golden::Message;
constexpr hw::PacketParams request{};
using Receiver = golden::Receiver<request>;
using Flit = Receiver::Flit;

Flit flit(int vc, bool head, bool tail, std::uint64_t id, std::uint32_t mask) {
  Flit f{.vc = vc, .head = head, .tail = tail};
  if (head) f.load.id = id, f.load.mask = mask;
  return f;
}

std::vector<std::string> flags(const char* network, const std::vector<std::string>& more) {
  std::vector<std::string> all{fmt::format("packet.network={}", network)};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST(Receiver, GoldenGoesByHeadsAndNotRoundTheVcs) {
  Receiver r;
  r.edge(flit(1, true, false, 1, 0b11), true);  // first head, on VC 1
  r.edge(flit(0, true, true, 2, 0b1), true);    // a whole packet on VC 0; VC 1's head is taken
  EXPECT_EQ(r.credit(), 1);
  for (int wait = 0; wait < 3; ++wait) {
    EXPECT_FALSE(r.out());  // VC 0's packet stands behind the late flit
    r.edge({}, true);
    EXPECT_FALSE(r.credit());
  }
  r.edge(flit(1, false, true, 0, 0), true);
  ASSERT_TRUE(r.out());
  EXPECT_EQ(r.out()->id, 1u);
  r.edge({}, true);
  ASSERT_TRUE(r.out());
  EXPECT_EQ(r.out()->id, 2u);
}

TEST(Receiver, GoldenTakesAHeadOnlyWhenReady) {
  Receiver r;
  Flit f = flit(2, true, true, 7, 1);
  f.port = 3;  // source
  r.edge(f, false);
  EXPECT_TRUE(r.out());  // with or without a free slot
  r.edge({}, false);
  EXPECT_FALSE(r.credit());
  EXPECT_EQ(r.out()->id, 3u << 8 | 7);
  r.edge({}, true);
  EXPECT_EQ(r.credit(), 2);
  EXPECT_FALSE(r.out());
}

// What goes in comes out: all masks, both ways of sending replies.
template <hw::PacketParams P>
void round_trip() {
  for (std::uint32_t mask = 0; mask < 16; ++mask) {
    Message m{.id = 5, .mask = mask};
    for (std::size_t w = 0; w < 16; ++w) m.data[w] = mask >> w / 4 & 1 ? 100 + w : 0;
    golden::Packetiser<P> cut;
    golden::Receiver<P> r;
    for (bool last = false; !last;) {
      const auto out = cut.outputs(&m);
      last = out.ready;
      cut.edge(&m, 0, {});
      r.edge(out.flit, true);
    }
    ASSERT_TRUE(r.out()) << mask;
    EXPECT_EQ(*r.out(), m) << mask;
  }
}

TEST(Receiver, GoldenPutsTogetherWhatWasCut) {
  round_trip<hw::PacketParams{.network = hw::Network::reply}>();
  round_trip<hw::PacketParams{.network = hw::Network::reply, .sectoring = false}>();
  round_trip<hw::PacketParams{.network = hw::Network::reply, .flit_bytes = 64}>();
}

TEST(Receiver, LockStep) {
  for (const char* network : {"request", "reply"})
    for (const auto& more : verif::first_of<std::vector<std::string>>(
             3, {{},
                 {"packet.inputs=3", "crossbar.vcs=8", "geometry.chunk_bytes=8"},
                 {"packet.inputs=80", "node.sectoring=false", "crossbar.vcs=3"},
                 {"packet.inputs=1", "crossbar.vcs=1", "crossbar.vc_depth=1"},
                 {"packet.inputs=10", "crossbar.flit_bytes=128", "packet.id_bits=20"}}))
      verif::expect_same("receiver", flags(network, more), 50'000, verif::fresh_seed(8));
}

TEST(Receiver, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"head_without_a_slot", "", "takes", "~front[329] | out_ready", high()},
      {"flit_that_is_not_there", "", "there", "holds[first]", high()},
      {"mask_of_the_header_lost", "", "kept_mask_q", "front[291:288]", low()},
      {"flit_at_the_first_position", "", "coming_q", "~here", high()},
      {"credits_of_tails_alone", "", "credit_valid_q", "takes", other("leaves")},
      {"in_the_order_of_tails", "", "order.in_valid", "in_head", other("in_tail")},
      {"credit_of_another_vc", "", "credit_vc_q", "first", inverted()},
      {"data_of_an_earlier_packet", "", "out_data", "~front[329]", high()}};
  verif::expect_all_found("receiver", {}, faults);
}
