// Recordings of a real GPU core's traffic, replayed on every cache preset: no wrong byte, all answered, and
// the figures of docs/results/replay.md. The fast tier plays the short ones.
#include <fmt/ranges.h>

#include <array>
#include <fstream>

#include "cosim/l1d/l1d_recording.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "golden/trace/io/byte_source.h"
#include "verif/l1d/lock_step.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> recordings() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(gen::paths::source() / "verif/traffic"))
    if (entry.path().string().ends_with(".txt.xz")) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

// All in the full tier; else a tenth of their cycles, of both sizes of the GPU.
std::vector<std::string> played() {
  std::vector<std::string> files = recordings();
  if (!verif::full_tier())
    std::erase_if(files, [](const std::string& file) {
      return !file.ends_with("_basic.txt.xz") && !file.ends_with("8_cta.txt.xz");
    });
  return files;
}

std::string with_commas(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (auto at = std::ssize(text) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

// The row of a recording in each table of docs/results/replay.md: cycles, hits, cycles with back-pressure.
using Rows = std::array<std::string, 3>;

void add_figures(Rows& rows, const nlohmann::json& replay) {
  const auto cycles = [&](const char* name) { return with_commas(replay[name].get<std::uint64_t>()); };
  if (rows[0].empty()) {
    const std::string file = fs::path(replay["recording"].get<std::string>()).filename();
    rows.fill(fmt::format("| {} |", file.substr(0, file.find('.'))));
    rows[0] += fmt::format(" {} | {} |", cycles("requests"), cycles("cycles_uncached"));
  }
  const auto percent = [&](const char* name) {
    return 100 * replay["counters"][name].get<double>() / replay["counters"]["loads"].get<double>();
  };
  rows[0] += fmt::format(" {} |", cycles("cycles"));
  rows[1] += fmt::format(" {:.1f} + {:.1f} |", percent("hits"), percent("hit_pending"));
  rows[2] += fmt::format(" {} |", cycles("cycles_with_back_pressure"));
}

// What reading the text says.
std::string complaint(const std::string& text) {
  const gen::TempDir work("recording");
  const std::string file = (work / "recording.txt").string();
  gen::write_file_atomically(file, text);
  try {
    verif::L1dRecording::read(file);
  } catch (const golden::TraceError& e) {
    const std::string what = e.what();
    return what.substr(what.find("recording.txt"));
  }
  return "";
}

constexpr const char* good = "Q 1 0 0 1000 3\nA 2 0 3 5\nQ 3 1 1 1000 1 f 12345678\nA 9 1 0\nR 12\n";

}  // namespace

TEST(L1dReplay, RecordingsOnEveryPreset) {
  ASSERT_EQ(recordings().size(), 11u);
  const std::vector<std::string> files = played();
  ASSERT_GE(files.size(), 3u);
  std::vector<Rows> rows(files.size());
  for (const gen::Config& config : verif::cache_presets()) {
    const auto run = verif::lock_step(config, {.replays = files, .coverage = false});
    ASSERT_EQ(run.status, 0) << config.top;
    ASSERT_EQ(run.report["replays"].size(), files.size());
    // Degrees are drawn, so that the page has no figures of it.
    const bool shown = !hw::reads_degrees(config.get<hw::L1dParams>().bypass);
    const auto& cache = config.get<hw::L1dParams>();
    const bool waits = cache.bypass.kind != hw::BypassKind::mrpb;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& replay = run.report["replays"][i];
      // MRPB: with a free slot in the miss queue no load waits for a line, as with the plain index it would.
      const auto fails = [&](const char* cause) {
        return replay["counters"][std::string("reservation_fail_") + cause].get<std::uint64_t>();
      };
      EXPECT_EQ(waits ? 0 : fails("line") + fails("mshr") + fails("merge"), 0u) << replay["recording"];
      const int least = !waits && cache.index.kind == hw::IndexKind::cvi;
      EXPECT_GE(replay["counters"]["bypasses_stall"], least) << replay["recording"];
      EXPECT_EQ(replay["requests"], replay["counters"]["accesses"]) << replay["recording"];
      if (shown) add_figures(rows[i], replay);
    }
  }
  const std::string page = gen::read_file(gen::paths::source() / "docs/results/replay.md");
  for (const Rows& of_recording : rows)
    for (const std::string& row : of_recording)
      EXPECT_THAT(page, testing::HasSubstr(row + "\n"))
          << "l1forge study docs/studies/replay.toml --pages renews it";
}

// A recording that says otherwise is found out: one byte of one answer, loaded before and stored never.
TEST(L1dReplay, AWrongByteIsFound) {
  const gen::TempDir work("recording");
  const std::string file = (work / "wrong.txt").string();
  gen::write_file_atomically(file, "Q 1 0 0 1000 1\nA 2 0 1 5\nQ 3 0 0 1000 1\nA 4 0 1 6\n");
  const auto run = verif::lock_step(gen::load_config("l1d"), {.replays = {file}, .coverage = false});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.report["mismatches"][0]["port"].get<std::string>(),
              testing::AllOf(testing::HasSubstr("byte 0"), testing::HasSubstr("wrong.txt:3")));
}

TEST(L1dReplay, MalformedRecordingsAreRefused) {
  EXPECT_EQ(complaint(good), "");
  const std::pair<std::string, const char*> cases[] = {
      {"X 1 0 0\n", "recording.txt:1:1: a line begins with Q, A or R, not with \"X\""},
      {"Q 1 0 4 1000 1\n", "recording.txt:1:7: kind 4 is not one of 0 to 3"},
      {"Q 1 0 0 1000 10\n", "recording.txt:1:14: mask 10 is not one of 1 to f"},
      {"Q 1 0 0 1000 0\n", "recording.txt:1:14: mask 0 is not one of 1 to f"},
      {"Q 1 0 1 1000 1\n", "recording.txt:1:7: a request of kind 1 needs byte enables and data"},
      {"Q 1 0 1 1000 1 100000000 0\n", "recording.txt:1:16: a byte is enabled outside the mask"},
      {"Q 1 0 0 1000 1 f 0\n", "recording.txt:1:16: a load has no data"},
      {"Q 1 0 1 1000 1 g 0\n", "recording.txt:1:16: the byte enable is \"g\", not a hex number"},
      {"Q 1 0 0 1000 1\nQ 2 0 0 1000 1\n",
       "recording.txt:2:5: id 0 is not free: its request was not answered yet"},
      {"A 1 7 1 0\n", "recording.txt:1:5: answers id 7, which has no request"},
      {"Q 1 0 0 1000 1\nA 2 0 2 0\n", "recording.txt:2:7: mask 2 answers a request whose answer has mask 1"},
      {"Q 1 0 0 1000 1\n", "recording.txt:1:5: request 0 is never answered"},
      {"Q 1 0 0 1000 1 x\n", "recording.txt:1:16: "},
      {"R 1 2\n", "recording.txt:1:5: \"2\" is too much"},
      {"R 1\n", "recording.txt: holds no request"},
      {"", "recording.txt: holds no request"},
  };
  for (const auto& [text, expected] : cases)
    EXPECT_THAT(complaint(text), testing::StartsWith(expected)) << text;
}

TEST(L1dReplay, OtherLinesAreRefused) {
  const gen::Config config = gen::load_config("l1d", {"geometry.line_bytes=64"});
  EXPECT_THROW(gen::cosim(config, {.replays = {recordings().front()}}), golden::TraceError);
}
