// L1s of other lines than the L2's: what a byte-by-byte oracle says goes down and comes back, and the sums of
// whole systems.
#include "golden/gpu/system/line_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

#include "gen/config/config.h"
#include "gen/explore/system_run.h"
#include "gen/system/system_config.h"
#include "verif/gpu/system/listed_trace.h"

namespace {

using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;
using golden::SystemParams;

struct Geometry {
  int line, chunk;
};

std::vector<Geometry> every_geometry() {
  std::vector<Geometry> all;
  for (const int line : {32, 64, 128, 256})
    for (const int chunk : {8, 16, 32, 64})
      if (chunk <= line) all.push_back({line, chunk});
  return all;
}

// Sectors of 32 bytes by their number in memory, counted from the bytes of a request.
using Sectors = std::set<std::uint64_t>;

Sectors sectors_of(std::uint64_t address, std::uint32_t mask, const Geometry& g) {
  Sectors all;
  const std::uint64_t first = address - address % static_cast<unsigned>(g.line);
  for (int byte = 0; byte < g.line; ++byte)
    if (mask >> (byte / g.chunk) & 1) all.insert((first + static_cast<unsigned>(byte)) / 32);
  return all;
}

// Takes requests now and then, and answers them in any order.
class AnyMemory final : public golden::MemorySide {
 public:
  struct Taken {
    int cycle;
    std::uint64_t address, id;
    RequestKind kind;
    bool writes;
    std::uint32_t mask;
    Sectors sectors;
  };

  explicit AnyMemory(unsigned seed) : random_(seed) {}

  void drive(int, L1dIn& in) const override {
    in.memory_request_ready = ready_;
    in.memory_response_valid = shown_.has_value();
    if (!shown_) return;
    in.memory_response_id = shown_->id;
    in.memory_response_mask = shown_->writes ? 0 : shown_->mask;  // of sectors
  }
  void take(int, const L1dIn& in, const L1dOut& out) override {
    if (in.memory_response_valid && out.memory_response_ready) {
      answered[cycle_] = *shown_;
      shown_.reset();
    }
    if (!in.memory_request_ready || !out.memory_request_valid) return;
    taken.push_back({cycle_, out.memory_request_address, out.memory_request_id, out.memory_request_kind,
                     golden::is_write(out), out.memory_request_mask,
                     sectors_of(out.memory_request_address, out.memory_request_mask, {128, 32})});
    waiting_.push_back(taken.back());
  }
  void tick() override {
    ++cycle_;
    ready_ = random_() % 3 != 0;
    if (shown_ || waiting_.empty() || random_() % 2) return;
    const auto one = waiting_.begin() + static_cast<std::ptrdiff_t>(random_() % waiting_.size());
    shown_ = *one;
    waiting_.erase(one);
  }
  void occupancy(std::span<std::uint8_t>, unsigned) const override {}

  std::vector<Taken> taken;
  std::map<int, Taken> answered;  // by cycle

 private:
  std::mt19937 random_;
  int cycle_ = 0;
  bool ready_ = true;
  std::optional<Taken> shown_;
  std::deque<Taken> waiting_;
};

struct Sent {
  int cycle;
  std::uint64_t address, id;
  std::uint32_t mask;
  RequestKind kind;
  bool writes;
};

constexpr golden::ByteMask one_byte{0, 1};

struct Ran {
  std::vector<Sent> sent;
  std::map<std::uint64_t, std::pair<int, std::uint32_t>> answers;  // by id: cycle and mask
  std::vector<AnyMemory::Taken> taken;
  std::map<int, AnyMemory::Taken> answered;
};

// An L1 that asks for lines in a hurry.
Ran traffic(const Geometry& g, unsigned seed, int requests = 400) {
  std::mt19937 random(seed);
  auto owned = std::make_unique<AnyMemory>(seed + 1);
  AnyMemory& memory = *owned;
  const auto side = golden::for_lines(std::move(owned), 1, g.line, g.chunk);
  Ran ran;
  const std::uint32_t chunks = g.line / g.chunk == 32 ? ~0u : (1u << g.line / g.chunk) - 1;
  for (int cycle = 0; static_cast<int>(ran.answers.size()) < requests && cycle < 100 * requests; ++cycle) {
    L1dIn in;
    L1dOut out;
    side->drive(0, in);
    out.memory_response_ready = random() % 4 != 0;
    if (in.memory_response_valid && out.memory_response_ready) {
      EXPECT_FALSE(ran.answers.contains(in.memory_response_id)) << "answered twice";
      ran.answers[in.memory_response_id] = {cycle, in.memory_response_mask};
    }
    out.memory_request_valid = static_cast<int>(ran.sent.size()) < requests && random() % 4 != 0;
    if (out.memory_request_valid) {
      out.memory_request_id = ran.sent.size();
      out.memory_request_kind = static_cast<RequestKind>(random() % 4);
      out.memory_request_address = random() % (4096 * static_cast<unsigned>(g.line));
      out.memory_request_mask = std::max<std::uint32_t>(static_cast<std::uint32_t>(random()) & chunks, 1);
      const bool enables = random() % 2 != 0;
      if (enables) out.memory_request_byte_enable = &one_byte;
      if (in.memory_request_ready)
        ran.sent.push_back({cycle, out.memory_request_address, out.memory_request_id, out.memory_request_mask,
                            out.memory_request_kind, golden::is_write(out)});
    }
    side->take(0, in, out);
    side->tick();
  }
  ran.taken = memory.taken;
  ran.answered = memory.answered;
  return ran;
}

class OtherLines : public testing::TestWithParam<Geometry> {};

TEST_P(OtherLines, GoDownAsTheSectorsOfTheirBytes) {
  const Geometry g = GetParam();
  const Ran ran = traffic(g, 7u + static_cast<unsigned>(g.line + g.chunk));
  ASSERT_EQ(ran.sent.size(), 400u);
  auto taken = ran.taken.begin();
  int last = -1;
  for (const Sent& sent : ran.sent) {
    EXPECT_GT(sent.cycle, last) << "the L1 sends behind the last part of its request before";
    std::map<std::uint64_t, Sectors> lines;  // of 128 bytes
    for (const std::uint64_t sector : sectors_of(sent.address, sent.mask, g))
      lines[sector / 4].insert(sector);
    bool first = true;
    for (const auto& [line, sectors] : lines) {
      ASSERT_NE(taken, ran.taken.end());
      EXPECT_EQ(taken->address / 128, line);
      EXPECT_EQ(taken->sectors, sectors);
      EXPECT_EQ(taken->kind, sent.kind);
      EXPECT_EQ(taken->writes, sent.writes);
      if (std::exchange(first, false)) {
        EXPECT_EQ(taken->cycle, sent.cycle);
      }
      EXPECT_GT(taken->cycle, last) << "one a cycle";
      last = taken++->cycle;
    }
  }
  EXPECT_EQ(taken, ran.taken.end());
}

// An answer is there once the last of its parts is, and in that cycle at the earliest.
TEST_P(OtherLines, ComeBackOnceAndWhole) {
  const Geometry g = GetParam();
  const Ran ran = traffic(g, 90u + static_cast<unsigned>(g.line + g.chunk));
  ASSERT_EQ(ran.answers.size(), 400u);
  std::map<std::uint64_t, int> there;  // by the L1's id: the cycle of its last part's answer
  std::map<std::uint64_t, std::uint64_t> asked_by;
  auto taken = ran.taken.begin();
  for (const Sent& sent : ran.sent) {
    const std::uint64_t first = (sent.address - sent.address % static_cast<unsigned>(g.line)) / 128,
                        last = (*sectors_of(sent.address, sent.mask, g).rbegin()) / 4;
    const bool both = last != first && *sectors_of(sent.address, sent.mask, g).begin() / 4 == first;
    for (int n = 0; n < 1 + both; ++n) asked_by[taken++->id] = sent.id;
  }
  EXPECT_EQ(asked_by.size(), ran.taken.size()) << "ids below are of one part each";
  for (const auto& [cycle, part] : ran.answered)
    there[asked_by.at(part.id)] = std::max(there[asked_by.at(part.id)], cycle);
  for (const Sent& sent : ran.sent) {
    EXPECT_EQ(ran.answers.at(sent.id).first, there.at(sent.id));
    EXPECT_EQ(ran.answers.at(sent.id).second, sent.writes ? 0 : sent.mask);
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, OtherLines, testing::ValuesIn(every_geometry()), [](const auto& info) {
  return std::to_string(info.param.line) + "_" + std::to_string(info.param.chunk);
});

TEST(OtherLinesInASystem, LinesOfTheL2HaveNothingBetween) {
  const auto side = golden::for_lines(std::make_unique<golden::SystemMemory>(SystemParams{}), 15, 128, 32);
  EXPECT_EQ(golden::own_memory_of(*side), side.get());
  const auto other = golden::for_lines(std::make_unique<golden::SystemMemory>(SystemParams{}), 15, 64, 32);
  EXPECT_NE(golden::own_memory_of(*other), nullptr);
  EXPECT_NE(static_cast<golden::MemorySide*>(golden::own_memory_of(*other)), other.get());
}

gen::RunResult run(const hw::L1dParams& cache, const SystemParams& p,
                   std::unique_ptr<golden::TraceSource> trace) {
  gen::RunResult result;
  result.sms.resize(static_cast<std::size_t>(p.sms));
  gen::SystemRun(cache, p, std::move(trace)).run(result, [](std::uint64_t, double) {});
  return result;
}

hw::L1dParams cache_of(const Geometry& g) {
  return gen::load_config("l1d", {"geometry.line_bytes=" + std::to_string(g.line),
                                  "geometry.chunk_bytes=" + std::to_string(g.chunk)})
      .get<hw::L1dParams>();
}

// Loads of random words in a region that the L2 holds: DRAM reads each sector of a touched line once, a fetch
// is a flit for each line of the L2, and its answer a flit for each sector.
TEST(OtherLinesInASystem, MoveTheBytesThatAByteCountSays) {
  for (const Geometry& g : every_geometry()) {
    std::mt19937 random(static_cast<unsigned>(g.line * g.chunk));
    std::vector<golden::Record> records;
    Sectors touched;
    const std::uint32_t whole = g.line / g.chunk == 32 ? ~0u : (1u << g.line / g.chunk) - 1;
    for (int n = 0; n < 600; ++n) {
      const std::uint64_t address = 0x10000000 + random() % (1 << 17) / 4 * 4;
      records.push_back(verif::load_of(address, static_cast<std::uint16_t>(n % 8)));
      touched.merge(sectors_of(address, whole, g));
    }
    SystemParams p = gen::load_system("fermi_tsc").values;
    p.sms = 1;
    const gen::RunResult result =
        run(cache_of(g), p, std::make_unique<verif::ListedTrace>(8, records, false));
    const golden::SystemMemoryFigures& m = *result.system->memory;
    const std::uint64_t fetches = result.sms[0].counters.requests_down;
    EXPECT_EQ(m.dram.bytes_read, 32 * touched.size()) << g.line << ", " << g.chunk;
    EXPECT_EQ(m.l2.missed_bytes, m.dram.bytes_read);
    EXPECT_EQ(m.request_flits, fetches * static_cast<std::uint64_t>(std::max(g.line / 128, 1)));
    EXPECT_EQ(m.reply_flits, fetches * static_cast<std::uint64_t>(g.line / 32)) << g.line << ", " << g.chunk;
    EXPECT_EQ(m.bytes_down, 32 * m.reply_flits);
  }
}

TEST(OtherLinesInASystem, ConserveRequestsAndBytesInEverySystem) {
  for (const gen::SystemPreset& preset : gen::system_presets())
    for (const Geometry& g : {Geometry{32, 8}, {64, 64}, {128, 8}, {256, 32}}) {
      const gen::SystemValues v = gen::load_system(preset.name).values;
      if (v.memory != gen::SystemMemoryKind::dram) continue;
      const gen::RunResult result = run(cache_of(g), v, golden::open_instructions("builtin:spmv?side=8"));
      const golden::SystemMemoryFigures& m = *result.system->memory;
      EXPECT_EQ(m.requests, m.answers) << preset.name;
      EXPECT_EQ(m.bytes_down, m.l2.bytes_in) << preset.name;
      EXPECT_EQ(m.l2.missed_bytes, m.dram.bytes_read) << preset.name;
      EXPECT_EQ(m.l2.accesses, m.l2.hits + m.l2.misses) << preset.name;
    }
}

// A cache that fetches whole lines asks for the same sectors in chunks of any size, so a run takes the same
// cycles: with chunks of 32 bytes nothing stands between it and the memory.
TEST(OtherLinesInASystem, WholeLinesTakeTheSameCyclesInChunksOfAnySize) {
  for (const char* name : {"fermi_tsc", "volta4", "crossbar80"}) {
    const SystemParams p = gen::load_system(name).values;
    const auto cycles = [&](int chunk) {
      return run(cache_of({128, chunk}), p, golden::open_instructions("builtin:spmv?side=8")).cycles;
    };
    const std::uint64_t expected = cycles(32);
    for (const int chunk : {8, 16, 64}) EXPECT_EQ(cycles(chunk), expected) << name << ", " << chunk;
  }
}

// A chase of lines that the L2 holds, by one clock. Of a line of n sectors: lookup and miss queue 2, request
// 1, reply n flits, fill, replay and answer 4, and the L2's latency. The second line of the L2 moves behind
// the four sectors of the first.
TEST(OtherLinesInASystem, AChaseInTheL2IsTheSumOfItsParts) {
  SystemParams p;
  p.core_clock = p.network_clock = p.memory_clock = 1000;
  p.l2.latency = 50;
  p.sms = p.alu_interval = 1;
  for (const Geometry& g : every_geometry()) {
    std::vector<golden::Record> records;
    for (int n = 0; n < 240; ++n)
      records.push_back(verif::load_of(0x10000000 + static_cast<std::uint64_t>(n % 12) * 4096));
    const gen::RunResult result =
        run(cache_of(g), p, std::make_unique<verif::ListedTrace>(1, records, false));
    EXPECT_EQ(result.sms[0].latency.others().percentile(50),
              static_cast<std::uint64_t>(2 + 1 + 50 + g.line / 32 + 4))
        << g.line << ", " << g.chunk;
  }
}

}  // namespace
