// Coalescer: the contract by hand, lock step of its shapes, refusals, injected faults.
#include "golden/coalescer/coalescer.h"

#include "gen/unit/unit.h"
#include "golden/trace/coalesce.h"
#include "golden/trace/open/open_trace.h"
#include "golden/trace/trace_source.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::Coalescer, golden::LaneInstruction, golden::Message, golden::RequestKind;
using verif::high, verif::inverted, verif::low, verif::other;
using In = Coalescer::In;

const std::vector<std::string> small{"coalescer.lanes=8", "coalescer.instructions=4", "core.id_bits=4"};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("coalescer", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

In ready(const std::optional<LaneInstruction>& i = {}) {
  return {.lane_request = i, .lane_response_ready = true, .core_request_ready = true};
}

// Its requests, one a cycle from the first on, and the cycle of that.
std::vector<Message> requests_of(Coalescer& unit, const LaneInstruction& i, int& first) {
  std::vector<Message> requests;
  EXPECT_TRUE(unit.outputs(ready(i)).lane_request_ready);
  unit.edge(ready(i));
  for (int cycle = 1; cycle < 80; ++cycle) {
    const auto request = unit.outputs(ready()).core_request;
    if (request && requests.empty()) first = cycle;
    if (request) requests.push_back(*request);
    if (!request && !requests.empty()) break;
    unit.edge(ready());
  }
  return requests;
}

// An access of a trace; it names active lanes alone.
LaneInstruction instruction_of(const golden::Record& record) {
  LaneInstruction i{.mask = record.mask, .size = std::countr_zero(unsigned{record.bytes_per_lane})};
  std::size_t n = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (record.mask >> lane & 1) i.address[lane] = record.address[n++];
  return i;
}

LaneInstruction strided(RequestKind kind, std::uint64_t id, int lanes, std::uint64_t stride) {
  LaneInstruction i{.id = id, .kind = kind, .mask = (std::uint64_t{2} << (lanes - 1)) - 1, .size = 2};
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane) i.address[lane] = lane * stride;
  return i;
}

}  // namespace

// The example of the contract.
TEST(Coalescer, ALoadOfThreeLines) {
  Coalescer unit({.lanes = 8});
  LaneInstruction load{.id = 5, .mask = 0xb7, .size = 2};
  load.address = {0x1004, 0x1084, 0x1008, 0x7777, 0x10fc, 0x1004, 0x2000, 0x2000};
  int first = 0;
  const auto requests = requests_of(unit, load, first);
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(first, 3);
  const std::vector<std::pair<std::uint64_t, std::uint32_t>> want{{0x1000, 1}, {0x1080, 9}, {0x2000, 1}};
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(requests[n].address, want[n].first);
    EXPECT_EQ(requests[n].mask, want[n].second);
    EXPECT_EQ(requests[n].sideband.degree, 3);
    EXPECT_EQ(requests[n].sideband.first, n == 0);
    EXPECT_EQ(requests[n].byte_enable, golden::ByteMask{});
  }
  // Answers in the other order; the last one is shown two cycles later.
  for (std::size_t n = 3; n-- > 0;) {
    In in = ready();
    in.core_response = Message{.id = requests[n].id, .mask = requests[n].mask};
    for (std::size_t w = 0; w < 16; ++w) in.core_response->data[w] = 0x1111111111111111u * (n + 1) + w;
    EXPECT_TRUE(unit.outputs(in).core_response_ready);
    unit.edge(in);
  }
  EXPECT_FALSE(unit.outputs(ready()).lane_response);
  unit.edge(ready());
  const auto answer = unit.outputs(ready()).lane_response;
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->id, 5u);
  EXPECT_EQ(answer->mask, 0xb7u);
  EXPECT_EQ(answer->data[0], (golden::LaneBytes{0x11, 0x11, 0x11, 0x11}));
  EXPECT_EQ(answer->data[1], (golden::LaneBytes{0x22, 0x22, 0x22, 0x22}));
  EXPECT_EQ(answer->data[2], (golden::LaneBytes{0x12, 0x11, 0x11, 0x11}));
  EXPECT_EQ(answer->data[7], (golden::LaneBytes{0x33, 0x33, 0x33, 0x33}));
}

TEST(Coalescer, TheHighestLaneOfAByteIsStored) {
  Coalescer unit({.lanes = 8});
  LaneInstruction store{.kind = RequestKind::store, .mask = 6};
  store.address = {0, 0x3001, 0x3001};
  store.data[1][0] = 0xaa, store.data[2][0] = 0xbb;
  int first = 0;
  const auto requests = requests_of(unit, store, first);
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].address, 0x3000u);
  EXPECT_EQ(requests[0].mask, 1u);
  EXPECT_EQ(requests[0].byte_enable, golden::ByteMask{2});
  EXPECT_EQ(requests[0].data[0], 0xbb00u);
}

// With a ready cache and ready lanes no cycle is lost between instructions, nor between answers.
TEST(Coalescer, NoCycleIsLost) {
  for (const auto& [stages, answer_stages] : {std::pair(2, 2), {3, 2}, {4, 3}}) {
    const hw::CoalescerParams p{.lanes = 16, .stages = stages, .answer_stages = answer_stages};
    Coalescer unit(p);
    std::deque<Message> at_cache;
    int requests = 0, answers = 0, idle = 0, first = -1;
    std::uint64_t next = 0;
    for (int cycle = 0; cycle < 400; ++cycle) {
      const auto kind = std::array{RequestKind::load, RequestKind::store, RequestKind::atomic}[next % 3];
      In in = ready(strided(kind, next % 8, 16, std::array{4u, 16u, 128u}[next / 3 % 3]));
      if (!at_cache.empty()) in.core_response = Message{.id = at_cache.front().id, .mask = 1};
      const Coalescer::Out out = unit.outputs(in);
      EXPECT_TRUE(out.core_response_ready);
      if (in.core_response) at_cache.pop_front();
      if (out.core_request) at_cache.push_back(*out.core_request), ++requests;
      if (out.core_request && first < 0) first = cycle;
      idle += first >= 0 && !out.core_request;
      answers += out.lane_response.has_value();
      next += out.lane_request_ready;
      unit.edge(in);
    }
    EXPECT_EQ(first, stages);
    EXPECT_EQ(idle, 0);
    EXPECT_EQ(requests, 400 - stages);
    EXPECT_GT(answers, 20);
  }
}

// The requests of the trace front end, for every access of kernels with regular and with scattered addresses.
TEST(Coalescer, AsksWhatTheFrontEndOfTracesAsks) {
  const hw::CoalescerParams p{.lane_bytes = 16};
  int records = 0, degrees = 0;
  for (const char* kernel : {"builtin:spmv?side=64", "builtin:atax?nx=128,ny=128"}) {
    const auto trace = golden::open_trace(kernel);
    golden::KernelInfo info;
    golden::Record record;
    std::vector<golden::LineAccess> lines;
    while (trace->next_kernel(info))
      while (trace->next(record)) {
        if (record.lanes() == 0 || record.is_barrier()) continue;
        const LaneInstruction i = instruction_of(record);
        golden::coalesce(record, p.line_bytes, p.chunk_bytes, lines);
        const auto groups = golden::groups_of(p, i);
        ASSERT_EQ(groups.size(), lines.size());
        for (std::size_t g = 0; g < groups.size(); ++g) {
          const Message m = golden::request_of(p, i, groups[g]);
          ASSERT_EQ((golden::LineAccess{m.address, m.mask}), lines[g]);
        }
        ++records, degrees += groups.size() > 1;
      }
  }
  EXPECT_GT(records, 1'000);
  EXPECT_GT(degrees, 100);
}

TEST(Coalescer, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("coalescer", small, full ? 2'000'000 : 60'000, verif::fresh_seed(5));
  verif::expect_same("coalescer",
                     {"coalescer.lanes=8", "coalescer.instructions=4", "core.id_bits=4", "coalescer.stages=4",
                      "coalescer.answer_stages=3"},
                     full ? 2'000'000 : 120'000, verif::fresh_seed(5));
  if (!full) return;
  verif::expect_same("coalescer", {}, 1'000'000, verif::fresh_seed(6));
  for (const int lanes : {4, 16, 64})
    for (const int lane_bytes : {1, 2, 8, 16})
      for (const int stages : {2, 4})
        verif::expect_same(
            "coalescer",
            {fmt::format("coalescer.lanes={}", lanes), fmt::format("coalescer.lane_bytes={}", lane_bytes),
             fmt::format("coalescer.stages={}", stages),
             fmt::format("coalescer.answer_stages={}", stages == 2 ? 3 : 2),
             fmt::format("geometry.line_bytes={}", lanes == 4         ? 32
                                                   : lane_bytes == 16 ? 256
                                                                      : 128),
             fmt::format("geometry.chunk_bytes={}", lane_bytes == 16 ? 8 : 32)},
            200'000, verif::fresh_seed(7));
}

TEST(Coalescer, Refusals) {
  EXPECT_EQ(refusal({"coalescer.lanes=24"}),
            "-s coalescer.lanes=24: coalescer.lanes = 24: must be a power of two from 4 to 64; the nearest "
            "are 16 and 32");
  EXPECT_EQ(
      refusal({"core.id_bits=2"}),
      "-s core.id_bits=2: core.id_bits = 2: cannot number coalescer.instructions = 8; use 8, those of the "
      "cache");
}

// The sound unit runs here, too.
TEST(Coalescer, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"lanes_of_other_lines_join", "_requests_groups_lane", "joins", "lines[other * 25 +: 25] == line",
       high()},
      {"idle_lanes_join", "_requests_groups_lane", "joins", "active[other]", high()},
      {"lanes_join_higher_ones", "_requests_groups_lane", "joins", "own < other[2:0]", high()},
      {"idle_lanes_lead", "_requests_groups", "leads", "active", high()},
      {"lanes_of_other_words_hide", "_requests_groups_lane", "hides", "words[other * 5 +: 5] == word",
       high()},
      {"atomics_have_one_request", "_requests_groups", "single", "alone", low()},
      {"loads_have_one_request", "_requests_groups", "single", "|(line_set & line_clear)", low()},
      {"no_lane_joins", "_requests", "members", "split_lead_q[l]", low()},
      {"all_lanes_join", "_requests", "members", "split_lead_q[l]", high()},
      {"the_next_lead_stays", "_requests", "rest", "split_lead_q", low()},
      {"the_last_request_is_never_found", "_requests", "split_last_q", "more", high()},
      {"a_request_is_lost_behind_the_last", "_requests", "split_last_q", "more", low()},
      {"requests_to_come_are_the_degree", "_requests", "merge_counts_q", "split_begins_q", high()},
      {"the_degree_is_never_set", "_requests", "merge_counts_q", "split_begins_q", low()},
      {"the_lower_lane_is_stored", "_requests", "bytes", "hidden[l * 4 +: 4]", low()},
      {"every_request_is_first", "_requests", "merge_first_q", "split_begins_q", high()},
      {"loads_write", "_requests", "core_request_byte_enable", "writes", high()},
      {"atomics_do_not_write", "_requests", "writes", "merge_kind_q == KIND_ATOMIC", low()},
      {"stores_are_awaited", "_requests", "sent_awaited", "", high()},
      {"a_split_instruction_is_lost", "_requests", "split_takes", "split_valid_q", low()},
      {"a_merged_request_is_lost", "_requests", "merge_takes", "merge_valid_q", low()},
      {"requests_without_an_id", "_requests", "core_request_valid", "id_free", high()},
      {"bytes_are_lost", "_merge_word", "touched", "", low()},
      {"bytes_of_other_words", "_merge_word", "bytes_here", "words[l * 5 +: 5] == number", high()},
      {"sizes_of_stores_are_ignored", "lane_to_word_b4", "in_half1", "", high()},
      {"places_of_loads_are_ignored", "word_to_lane_b4", "value1", "low[1]", low()},
      {"sizes_of_loads_are_ignored", "word_to_lane_b4", "value0", "wide[0]", high()},
      {"ids_do_not_return", "id_queue_w4", "tail_q", "freed", low()},
      {"an_id_is_given_twice", "id_queue_w4", "fresh_q", "take", low()},
      {"the_front_stays", "id_queue_w4", "leaves", "take", low()},
      {"an_empty_queue_has_a_front", "id_queue_w4", "read", "head_q != tail_q", high()},
      {"answered_before_the_last", "_answers", "last", "left == 4'd1", high()},
      {"answers_are_not_counted", "_answers", "left_q", "awaited & moves", low()},
      {"answers_to_stores_count", "_answers", "awaited", "row[10]", high()},
      {"early_values_are_lost", "_answers", "kept", "", low()},
      {"late_values_are_lost", "_answers", "lane_response_data", "last_lanes_q[l]", low()},
      {"early_values_are_replaced", "_answers", "lane_response_data", "last_lanes_q[l]", high()},
      {"an_answer_that_waits_is_replaced", "_answers", "moves", "lane_response_ready", high()},
      {"an_answer_of_the_cache_is_lost", "_answers", "core_response_ready", "answer_valid_q", low()}};
  verif::expect_all_found("coalescer", small, faults, {.cycles = 60'000});
}
