// Stores that write into lines (tags.store_policy = "update") on every tag organisation: lock step, every
// order of loads and stores of one line, the worked example, and faults injected in what a store writes.
#include <gmock/gmock.h>

#include "gen/process.h"
#include "verif/l1d/golden_bench.h"
#include "verif/l1d/lock_step.h"
#include "verif/l1d/store_update_kinds.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"
#include "verif/trace/trace_bytes.h"

namespace {

using verif::Settings, verif::small_updating;

// A recording under construction, with what loads must return by a plain array of bytes.
class OrderRecording {
 public:
  // One letter a request to the line: loads of one chunk (a) or two (b), stores into one (s) or two (t).
  // One at a time, or all offered before the first is answered.
  void word(const std::string& letters, std::uint64_t line, bool one_at_a_time) {
    std::string answers;
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const char letter = letters[i];
      const bool two = letter == 'b' || letter == 't';
      text_ += fmt::format("Q {} {} {:x} {:x} {:x}", ++cycle_, i, letter == 's' || letter == 't', 128 * line,
                           two ? 3 : 1);
      std::string answer = fmt::format("A {} {} ", ++cycle_, i);
      if (letter == 's' || letter == 't') {
        store(line, two);
        answer += "0\n";
      } else {
        answer += fmt::format("{:x} {}\n", two ? 3 : 1, hex(bytes_[line], two ? 64 : 32));
        text_ += "\n";
      }
      (one_at_a_time ? text_ : answers) += answer;
    }
    text_ += answers;
  }
  void fence() { text_ += fmt::format("R {}\n", ++cycle_); }
  const std::string& text() const { return text_; }

 private:
  using Line = std::array<std::uint8_t, 128>;

  // Bytes 1 and 2, or byte 2 and the first of the next chunk.
  void store(std::uint64_t line, bool two) {
    Line data{}, enables{};
    for (const std::size_t at : {std::size_t{2}, two ? std::size_t{32} : std::size_t{1}}) {
      bytes_[line][at] = data[at] = ++value_;
      enables[at / 8] |= static_cast<std::uint8_t>(1 << at % 8);
    }
    text_ += fmt::format(" {} {}\n", hex(enables, 16), hex(data, 64));
  }
  static std::string hex(const Line& bytes, int count) {
    std::string digits;
    for (int b = count; b-- > 0;) digits += fmt::format("{:02x}", bytes[static_cast<std::size_t>(b)]);
    return digits;
  }

  std::map<std::uint64_t, Line> bytes_;
  std::string text_;
  int cycle_ = 0;
  std::uint8_t value_ = 0;
};

// Every word of four letters, each way, on lines that share a set.
std::string every_order() {
  OrderRecording recording;
  for (int n = 0; n < 256; ++n) {
    std::string word;
    for (int i = 0; i < 4; ++i) word += "abst"[n >> 2 * i & 3];
    for (const bool one_at_a_time : {false, true})
      recording.word(word, static_cast<std::uint64_t>(n % 3 * 64), one_at_a_time);
    if (n % 32 == 31) recording.fence();
  }
  return recording.text();
}

std::uint64_t counted(const nlohmann::json& counters, const char* name) {
  return counters[name].get<std::uint64_t>();
}

// Every event of the watch is reached, or the run fails.
TEST(StoreUpdate, EveryOrganisationInLockStep) {
  const gen::TempDir work("update");
  const std::string orders = (work / "orders.txt").string();
  gen::write_file_atomically(orders, every_order());
  for (const Settings& settings : verif::updating_organisations()) {
    const gen::Config config = gen::load_config("l1d", settings);
    SCOPED_TRACE(config.top);
    const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 250'000});
    EXPECT_EQ(run.status, 0) << run.report.dump(1);
    EXPECT_GT(counted(run.report["counters"], "store_updates"), 300u);
    EXPECT_GT(run.report["coverage"]["counts"].count("two updates of the same chunks in a row"), 0u);
    // Bytes of the answers are compared with the bytes of a plain array, independently of the model.
    const auto replay = verif::lock_step(config, {.replays = {orders}, .coverage = false});
    EXPECT_EQ(replay.status, 0) << replay.report.dump(1);
    EXPECT_GT(counted(replay.report["replays"][0]["counters"], "store_updates"), 100u);
    EXPECT_GT(counted(replay.report["replays"][0]["counters"], "doomed"), 10u);
  }
}

// Spec 11's example, by one warp whose instructions ask for one line each; untimed, timed and Verilog.
TEST(StoreUpdate, WorkedExample) {
  const gen::TempDir work("update");
  const std::string trace = (work / "example.rec").string();
  const auto access = [](int is_store, std::uint32_t first_word, std::uint32_t words) {
    std::vector<std::uint32_t> addresses;
    for (std::uint32_t w = first_word; w < first_word + words; ++w) addresses.push_back(0x1000 + 4 * w);
    verif::Fields fields = verif::load(0, 0, addresses);
    fields.is_store = static_cast<std::uint8_t>(is_store);
    return verif::bytes(fields);
  };
  gen::write_file_atomically(
      trace, access(0, 0, 8) + access(1, 0, 1) + access(0, 0, 8) + access(2, 0, 1) + access(0, 0, 8));
  for (const Settings& settings : {verif::updating_organisations()[0], verif::updating_organisations()[1]}) {
    const auto check = [](const nlohmann::json& counters) {
      EXPECT_EQ(counted(counters, "hits"), 1u);
      EXPECT_EQ(counted(counters, "misses"), 2u);
      EXPECT_EQ(counted(counters, "store_updates"), 1u);
      EXPECT_EQ(counted(counters, "store_invalidations"), 1u);
    };
    const auto run =
        verif::lock_step(gen::load_config("l1d", settings), {.traces = {trace}, .coverage = false});
    ASSERT_EQ(run.status, 0);
    check(run.report["traces"][0]["counters"]);
    for (const char* mode : {"--untimed", "--timed"}) {
      std::vector<std::string> arguments{"explore", "l1d", "--trace", trace, "--json", "-", mode};
      for (const std::string& s : settings) arguments.insert(arguments.end(), {"-s", s});
      const auto explored = verif::l1forge(arguments);
      ASSERT_EQ(explored.status, 0) << explored.output;
      check(nlohmann::json::parse(explored.output)["runs"][0]);
    }
  }
}

// Untimed, at the default geometry: a store takes nothing away, an atomic does.
TEST(StoreUpdate, RequestLists) {
  const gen::TempDir work("update");
  gen::write_file_atomically(work / "line.txt",
                             "L 1000 1\nS 1000 1\nL 1000 1\nA 1000 1\nL 1000 1\nS 2000 1\nL 2000 1\n");
  gen::write_file_atomically(work / "chunks.txt", "L 1000 1\nS 1000 3\nL 1000 1\nL 1000 3\nL 1000 2\n");
  const auto dump = [&](const char* list, const Settings& settings) {
    std::vector<std::string> arguments{"explore", "l1d", "--requests", list, "--dump", "-"};
    for (const std::string& s : settings) arguments.insert(arguments.end(), {"-s", s});
    return verif::l1forge(arguments, work.path()).output;
  };
  for (const std::string bypass :
       {"none", "mrpb"})  // loops of their own, and the tag stores of the cycle model
    for (const std::string kind : {"conventional", "sectored", "split", "decoupled"}) {
      const Settings update{"tags.kind=" + kind, "tags.store_policy=update", "bypass.kind=" + bypass};
      EXPECT_EQ(dump("line.txt", update), "MsHaMsM") << kind;
      EXPECT_EQ(dump("chunks.txt", update), kind == "conventional" ? "MsHHH" : "MsHPH") << kind;
      EXPECT_EQ(dump("line.txt", {"tags.kind=" + kind, "bypass.kind=" + bypass}), "MsMaMsM") << kind;
    }
  EXPECT_EQ(dump("line.txt",
                 {"tags.kind=reuse_filter", "tags.reuse_filter.threshold=0", "tags.store_policy=update"}),
            "MsHaMsM");
}

// The load that waits gets what was there before, the next one asks memory.
TEST(StoreUpdate, AStoreToALineOnItsWayPoisonsIt) {
  const gen::TempDir work("update");
  const std::string file = (work / "pending.txt").string();
  gen::write_file_atomically(file,
                             "Q 1 0 0 1000 f\nQ 2 1 1 1000 1 3 bbaa\nA 3 0 f 4433\nA 4 1 0\n"
                             "Q 5 2 0 1000 f\nA 6 2 f bbaa\n");
  for (const Settings& settings : {verif::updating_organisations()[0], verif::updating_organisations()[1]}) {
    const auto run =
        verif::lock_step(gen::load_config("l1d", settings), {.replays = {file}, .coverage = false});
    ASSERT_EQ(run.status, 0) << run.report.dump(1);
    const auto& counters = run.report["replays"][0]["counters"];
    EXPECT_EQ(counted(counters, "misses"), 2u);
    EXPECT_EQ(counted(counters, "doomed"), 1u);
    EXPECT_EQ(counted(counters, "store_updates"), 0u);
    EXPECT_EQ(counted(counters, "store_invalidations"), 0u);
  }
}

// With a free receiver behind the cache a store that updates leaves in each cycle.
TEST(StoreUpdate, AStoreACycle) {
  const gen::Config config = gen::load_config("l1d_gpu");
  verif::CaseBench bench(config.get<hw::L1dParams>());
  bench.bring(0x1000);
  for (std::uint32_t id = 0; id < 64; ++id) bench.store(id, 0x1000);
  bench.tick(80);
  ASSERT_EQ(bench.accepted.size(), 65u);
  EXPECT_EQ(bench.accepted.back() - bench.accepted[1], 63);
  EXPECT_EQ(bench.cache.counters().store_updates, 64u);
}

const verif::Fault faults[] = {
    {"written_beside_a_fill_of_the_chunk", "", "store_meets_fill", "fill", verif::low()},
    {"written_where_a_waiting_load_reads", "", "store_meets_replay", "replay_ready", verif::low()},
    {"line_on_its_way_written", "", "may_update", "entry_match", verif::low()},
    {"atomics_write", "", "may_update", "probe_kind_q == KIND_STORE", verif::high()},
    {"line_goes_all_the_same", "", "removes", "", verif::other("changes")},
    {"pending_line_not_poisoned", "", "invalidate", "entry_match", verif::low()},
    {"absent_chunks_written", "", "store_chunks", "match_valid", verif::high()},
    {"leaves_without_writing", "", "may_leave", "store_waits", verif::low()},
    {"data_overwritten_while_it_waits", "", "data_ready", "may_leave", verif::high()},
    {"written_before_it_leaves", "", "store_writes", "queue_not_full", verif::high()},
    {"first_chunk_alone", "", "store_wanted", "", verif::stuck(1)},
    {"whole_chunks_written", "_column", "write_bytes", "store_byte_enable", verif::high()},
    {"fill_by_bytes_of_the_store", "_column", "write_bytes", "{32{fill}}", verif::low()},
    {"in_the_set_of_a_fill", "_column", "write_set", "fill", verif::high()},
    {"data_of_a_fill", "_column", "write_data", "fill", verif::high()},
    {"other_columns_too", "_data_store", "stores", "store_mask", verif::high()},
    {"all_ways_written", "_column", "writes", "store_way", verif::high()},
};

TEST(StoreUpdate, EveryBrokenCopyIsFound) {
  verif::expect_all_found("l1d", verif::updating_organisations()[1], faults, {.cycles = 500'000});
}

const verif::Fault split_faults[] = {
    {"chunks_of_fill_and_store_mixed", "", "store_waits", "memory_response_mask", verif::low()},
    {"bytes_of_another_chunk", "_data_store", "bytes0", "stored[0]", verif::high()},
    {"set_of_a_fill", "_data_store", "bank1.row", "stored_slots[1]", verif::low()},
    {"in_the_slot_of_a_fill", "", "store_waits", "fill_slots", verif::low()},
    {"in_the_slot_of_a_waiting_load", "", "store_waits", "replay_slots", verif::low()},
};

TEST(StoreUpdate, EveryBrokenCopyWithSlotsIsFound) {
  // That a fill or a waiting load takes a slot of another set's and no chunk of the store's is rare.
  verif::expect_all_found("l1d", verif::updating_organisations()[2], split_faults, {.cycles = 1'000'000});
}

}  // namespace
