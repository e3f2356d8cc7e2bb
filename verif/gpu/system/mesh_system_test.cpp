// Meshes of 28 cores in their systems: closed forms of a lone load's latency by the hops of its way
// (docs/contracts/mesh.md, shared-l1.md, remote-core.md).
#include <gtest/gtest.h>

#include <cstdlib>

#include "gen/system/system_config.h"
#include "verif/gpu/system/topology_run.h"

namespace {

using golden::SystemParams;

// One way, so that two lines of a set replace each other.
constexpr hw::TopologyParams mesh28(hw::TopologyKind kind) {
  hw::TopologyParams p;
  p.shape = {.kind = kind, .cores = 28, .slices = 8};
  p.l1d.ways = 1, p.l1d.capacity_bytes = 32 * 128;
  return p;
}
constexpr hw::TopologyParams shared_l1(hw::Organisation organisation) {
  hw::TopologyParams p = mesh28(hw::TopologyKind::shared);
  p.shared.organisation = organisation;
  return p;
}
constexpr hw::TopologyParams remote_core() {
  hw::TopologyParams p = mesh28(hw::TopologyKind::remote);
  p.remote.enable = false;
  p.mesh.vcs = 1, p.mesh.vc_flits = 8;
  return p;
}
constexpr hw::TopologyParams own_lines = shared_l1(hw::Organisation::own_lines);
constexpr hw::TopologyParams shared_lines = shared_l1(hw::Organisation::shared_lines);
constexpr hw::TopologyParams no_searches = remote_core();

SystemParams system_of(const char* preset) { return gen::load_system(preset).values; }
SystemParams one_clock(const char* preset) {
  SystemParams p = system_of(preset);
  p.network_clock = p.core_clock;
  return p;
}

struct Position {
  int column, row;
};
struct CoreAt {
  std::uint32_t core;
  Position at;
};
int hops(Position a, Position b) { return std::abs(a.column - b.column) + std::abs(a.row - b.row); }

// Counted by hand on the map of 6 x 6 nodes, whose slices are at 3 7 10 12 23 25 28 32.
constexpr CoreAt cores[] = {{0, {0, 0}}, {3, {4, 0}}, {13, {5, 2}}, {27, {5, 5}}};
constexpr Position slices[] = {{3, 0}, {1, 1}, {4, 1}, {0, 2}, {5, 3}, {1, 4}, {4, 4}, {2, 5}};

struct Target {
  std::uint64_t home = 0;  // bits 12 to 16 of the address
  std::size_t slice = 0;   // bits 8 to 10
};

std::uint64_t line_of(const Target& target) { return target.home * 0x1000 + target.slice * 0x100; }

golden::Record load_by(std::uint32_t core, std::uint64_t line) {
  golden::Record record = verif::load_of(0x10000000 + line);
  record.cta = core;
  return record;
}
// CTAs go to cores in turn: one instruction for each core in front of this one.
std::vector<golden::Record> on_core(std::uint32_t core) {
  std::vector<golden::Record> records;
  for (std::uint32_t other = 0; other < core; ++other) {
    records.push_back(verif::plain(0));
    records.back().cta = other;
  }
  return records;
}

// Cycles of a load of each target by the core, alone in the system. The L2 has the line, the L1 does not: the
// line is loaded before, and then another one of its set.
template <hw::TopologyParams P>
std::vector<std::int64_t> lone_loads(const SystemParams& p, std::uint32_t core,
                                     const std::vector<Target>& targets, int hit_delay = 0) {
  std::vector<golden::Record> records = on_core(core);
  for (const Target& target : targets)
    for (const std::uint64_t other : {0, 1, 0})
      records.push_back(load_by(core, line_of(target) + other * 0x20000));
  verif::ListedTrace trace(1, records, false, core + 1);
  const verif::TopologyRun ran = verif::run_topology<P>(p, trace, hit_delay);
  EXPECT_EQ(ran.loads.size(), 3 * targets.size());
  std::vector<std::int64_t> loads;
  for (std::size_t n = 2; n < ran.loads.size(); n += 3) loads.push_back(ran.loads[n]);
  return loads;
}

const std::vector<Target> each_slice{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}};

// Lookup and miss queue 2, fill, replay and answer 4; the slice's lookup 1 behind its latency.
constexpr int lookup = 2, fill = 4, slice_lookup = 1;
// A router has two registers for a flit and a link has one; the receiver 1 and the queue behind it 1.
constexpr int crossing(int hops, int flits) { return 2 * (hops + 1) + hops + (flits - 1) + 1 + 1; }
constexpr int line_flits = 4, chunk_flits = 1;
int from_l2(const SystemParams& p, int hops, int flits) {
  return crossing(hops, 1) + slice_lookup + p.l2.latency + crossing(hops, flits);
}
// In front of the request mesh: the request's register and out1 of a core of shared L1s; in remote cores a
// miss reads the filter, waits to be sent, and is in the register of messages.
constexpr int shared_ways = 1 + 1, remote_ways = 1 + 1 + 1;

template <hw::TopologyParams P>
void expect_six_cycles_a_hop(const char* preset, int ways) {
  const SystemParams p = one_clock(preset);
  for (const CoreAt& core : {cores[0], cores[2]}) {
    const auto found = lone_loads<P>(p, core.core, each_slice);
    for (std::size_t slice = 0; slice < std::size(slices); ++slice)
      EXPECT_EQ(found.at(slice), ways + lookup + from_l2(p, hops(core.at, slices[slice]), line_flits) + fill)
          << "core " << core.core << ", slice " << slice;
  }
}

TEST(LoneLoadOnAMesh, OfAnOwnL1TakesSixCyclesAHop) {
  expect_six_cycles_a_hop<own_lines>("mesh28_shared", shared_ways);
}
TEST(LoneLoadOnAMesh, OfARemoteCoreTakesSixCyclesAHop) {
  expect_six_cycles_a_hop<no_searches>("mesh28", remote_ways);
}

TEST(LoneLoadOnAMesh, OfAHomeIsTheSumOfBothWays) {
  const SystemParams p = one_clock("mesh28_shared");
  int past_homes = 0, by_homes = 0;
  for (const CoreAt& core : {cores[0], cores[2]})
    for (const CoreAt& home : {cores[1], cores[3]}) {
      std::vector<Target> targets;
      for (const std::size_t slice : {0, 3, 4, 5, 6}) targets.push_back({home.core, slice});
      const auto found = lone_loads<shared_lines>(p, core.core, targets);
      for (std::size_t n = 0; n < targets.size(); ++n) {
        const Position slice = slices[targets[n].slice];
        const int to_home = hops(core.at, home.at), to_slice = hops(core.at, slice);
        // The request's register and out0 or out1, the home's out1 and reply-out.
        const int past = 1 + 1 + from_l2(p, to_slice, chunk_flits),
                  by = 1 + 1 + crossing(to_home, 1) + lookup + 1 +
                       from_l2(p, hops(home.at, slice), line_flits) + fill + 1 +
                       crossing(to_home, chunk_flits);
        const bool nearer = to_slice < to_home;
        ++(nearer ? past_homes : by_homes);
        EXPECT_EQ(found.at(n), nearer ? past : by)
            << "core " << core.core << ", home " << home.core << ", slice " << targets[n].slice;
      }
    }
  EXPECT_GE(past_homes, 4);
  EXPECT_GE(by_homes, 4);
}

// At 700 MHz all cycles of a crossing but the last take two. Loads follow each other in an even number of
// cycles, since a message waits until its mesh moves; the next is accepted in the cycle behind the answer.
TEST(LoneLoadOnAMesh, AtHalfTheClockAHopTakesTwelve) {
  const auto expect = [](const std::vector<std::int64_t>& found, const SystemParams& p, int ways) {
    for (std::size_t slice = 0; slice < std::size(slices); ++slice) {
      const int far = hops(cores[0].at, slices[slice]);
      const int crossings = 2 * (crossing(far, 1) + crossing(far, line_flits)) - 2;
      const int cycles = ways + lookup + crossings + slice_lookup + p.l2.latency + fill;
      EXPECT_EQ(found.at(slice), (cycles + 2) / 2 * 2 - 1) << "slice " << slice;
    }
  };
  const SystemParams shared = system_of("mesh28_shared"), remote = system_of("mesh28");
  expect(lone_loads<own_lines>(shared, 0, each_slice), shared, shared_ways);
  expect(lone_loads<no_searches>(remote, 0, each_slice), remote, remote_ways);
}

// A core of shared L1s has a register in front of its L1, and a hit in a home both crossings.
TEST(LoneLoadOnAMesh, HitsTakeTheSystemsLatency) {
  const auto hit = []<hw::TopologyParams P>(const SystemParams& p, std::uint32_t core, std::uint64_t line) {
    std::vector<golden::Record> records = on_core(core);
    for (int load = 0; load < 2; ++load) records.push_back(load_by(core, line));
    verif::ListedTrace trace(1, records, false, core + 1);
    return verif::run_topology<P>(p, trace, p.l1_hit_latency - lookup).loads.at(1);
  };
  EXPECT_EQ(hit.operator()<own_lines>(system_of("mesh28_shared"), 0, 0), 28 + 1);
  EXPECT_EQ(hit.operator()<no_searches>(system_of("mesh28"), 0, 0), 28);
  const int far = hops(cores[2].at, cores[1].at);
  EXPECT_EQ(hit.operator()<shared_lines>(one_clock("mesh28_shared"), cores[2].core, line_of({3, 3})),
            1 + 1 + crossing(far, 1) + 28 + 1 + crossing(far, chunk_flits));
}

}  // namespace
