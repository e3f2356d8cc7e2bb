// Cores that search each other's L1s, held against their own scoreboard alone: with any losses of probes and
// lines on their way, each load has the right data exactly once; and the private-store rule, which is broken
// without its guard.
#include <gmock/gmock.h>

#include "verif/topology/booked_topology.h"
#include "verif/topology/lossy_mesh.h"

namespace {

using golden::Message, golden::RequestKind;
using verif::BookedTopology, verif::LossyMesh;

// As small_remote() has it.
constexpr hw::TopologyParams small() {
  hw::TopologyParams p{.shape = {.kind = hw::TopologyKind::remote, .cores = 5, .slices = 2}};
  p.mesh = {
      .width = 3, .height = 3, .memory_nodes = {.count = 2, .numbers = {4, 2}}, .vcs = 1, .vc_flits = 2};
  p.l1d.line_bytes = 64, p.l1d.capacity_bytes = 1024, p.l1d.core_id_bits = 4;
  p.l1d.mshr_entries = 4, p.l1d.miss_queue = 2;
  p.l1d.index.line_bytes = 64, p.l1d.index.sets = hw::sets_of(p.l1d);
  p.remote.coverage = 3, p.remote.timeout = 128, p.remote.incoming = 2, p.remote.forwarded = 2;
  p.remote.replies = 2, p.remote.outgoing = 2, p.remote.deflected = 1, p.remote.wait_limit = 8;
  p.remote.filter_bits = 9, p.remote.selector_period = 64;
  p.remote.predictor.kind = hw::PredictorKind::always;
  return p;
}
constexpr hw::TopologyParams remote = small();
constexpr golden::NetworkPlans plans = golden::kind_of(remote.shape).networks(remote);
constexpr int nodes = hw::nodes_of(remote.mesh);
constexpr hw::ProbeTableParams table = hw::table_params(golden::kinds::remote_node(remote, 0));

// A probe has the form of a store that writes nothing; group in bits 2 and up of its data.
bool is_probe(const Message& m) {
  return m.kind == RequestKind::store && m.id == 0 && !golden::has_byte_enable(m.byte_enable);
}
// With the sequence before that of its search, at this bit and up. It wraps: a borrow would name another
// core.
std::uint64_t older(std::uint64_t fields, int low) {
  const std::uint64_t one = std::uint64_t{1} << low;
  const std::uint64_t sequence = (one << hw::sequence_bits(table)) - one;
  return (fields & ~sequence) | ((fields - one) & sequence);
}
void older_probe(Message& m) { m.data[0] = older(m.data[0], 2); }

// The highest bit of a reply's id says that a core has sent it, the lowest ones are the sequence.
bool is_line_of_core(const Message& m) { return m.id >> (golden::kinds::remote_reply_bits(remote) - 1) & 1; }
void older_line(Message& m) { m.id = older(m.id, 0); }

struct Losses {
  LossyMesh::Rates probes = {}, lines = {};
};

class Lossy {
 public:
  Lossy(const hw::TopologyParams& p, const Losses& losses) {
    auto requests = std::make_unique<LossyMesh>(
        golden::make_network<plans.plans[0]>(), nodes,
        LossyMesh::Damage{.rates = losses.probes, .may = is_probe, .confuse = older_probe}, 1);
    auto replies = std::make_unique<LossyMesh>(
        golden::make_network<plans.plans[1]>(), nodes,
        LossyMesh::Damage{.rates = losses.lines, .may = is_line_of_core, .confuse = older_line}, 2);
    requests_ = requests.get(), replies_ = replies.get();
    std::vector<std::unique_ptr<golden::Fabric>> fabrics;
    fabrics.push_back(std::move(requests));
    fabrics.push_back(std::move(replies));
    topology_ =
        std::make_unique<BookedTopology>(p, std::make_unique<golden::Topology>(p, std::move(fabrics)), 3);
  }

  // What the scoreboard has to say; "" for nothing.
  std::string run(std::int64_t cycles) {
    auto wrong = topology_->run(cycles);
    if (!wrong) wrong = topology_->drain();
    return wrong ? wrong->what : "";
  }
  std::int64_t suffered() const { return requests_->suffered() + replies_->suffered(); }
  std::int64_t answers() const { return topology_->answers(); }
  golden::RemoteFigures figures() const { return *topology_->golden().figures().remote; }

 private:
  LossyMesh *requests_ = nullptr, *replies_ = nullptr;
  std::unique_ptr<BookedTopology> topology_;
};

constexpr std::int64_t cycles = 40'000;

}  // namespace

TEST(RemoteLoss, SoundMeshes) {
  Lossy lossy(remote, {});
  EXPECT_EQ(lossy.run(cycles), "");
  EXPECT_EQ(lossy.suffered(), 0);
  EXPECT_GT(lossy.answers(), 1000);
  const golden::RemoteFigures figures = lossy.figures();
  EXPECT_GT(figures.by_leader, 100u);
  EXPECT_GT(figures.by_candidate, 0u);
  EXPECT_GT(figures.losses->timed_out, 0u);
  EXPECT_GT(figures.losses->deflected, 0u);
  EXPECT_GT(figures.losses->dropped, 0u);
}

TEST(RemoteLoss, RightDataOnceWhateverIsLost) {
  const std::pair<const char*, Losses> all[] = {
      {"probes are lost", {.probes = {.lost = 64}}},
      {"all probes are lost", {.probes = {.lost = 256}}},
      {"probes are late", {.probes = {.late = 128}}},
      {"probes of older searches", {.probes = {.confused = 64}}},
      {"lines are lost", {.lines = {.lost = 128}}},
      {"lines are late", {.lines = {.late = 256}}},
      {"lines of older searches", {.lines = {.confused = 128}}},
      {"all of it", {.probes = {40, 40, 40}, .lines = {40, 40, 40}}}};
  for (const auto& [what, losses] : all) {
    Lossy lossy(remote, losses);
    EXPECT_EQ(lossy.run(cycles), "") << what;
    EXPECT_GT(lossy.suffered(), 50) << what;
    EXPECT_GT(lossy.figures().losses->timed_out, 0u) << what;
  }
}

TEST(RemoteLoss, OwnStoresNeedTheGuard) {
  hw::TopologyParams unguarded = remote;
  unguarded.remote.own_store_guard = false;
  Lossy lossy(unguarded, {});
  EXPECT_THAT(lossy.run(cycles), testing::HasSubstr("data, of the scoreboard"));
}

// Of models alone.
TEST(RemoteLoss, PerfectAndNone) {
  hw::TopologyParams knows = remote, off = remote;
  knows.remote.predictor.kind = hw::PredictorKind::perfect;
  Lossy perfect(knows, {});
  EXPECT_EQ(perfect.run(cycles), "");
  EXPECT_EQ(perfect.figures().precision(), 1);
  EXPECT_EQ(perfect.figures().recall(), 1);
  off.remote.enable = false;
  Lossy none(off, {});
  EXPECT_EQ(none.run(cycles), "");
  EXPECT_EQ(none.figures().probes, 0u);
}
