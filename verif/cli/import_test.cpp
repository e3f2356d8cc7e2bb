// Cache strings of public GPU configurations, Fermi to Hopper (docs/cache-strings.md): each becomes the cache
// that the page names, of hardware or of models alone, or is refused by the parts of the string that are
// not built.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "gen/config/config.h"
#include "gen/gpgpusim.h"
#include "gen/paths.h"
#include "hw/banks/banked_l1d.h"
#include "hw/l1d/l1d.h"
#include "hw/require.h"

namespace {

struct Row {
  std::string gpu, cache, text, becomes;
  int banks = 1;
};

// The rows of one of the page's tables: cells between bars, the string in the third, or in the fourth behind
// the banks.
std::vector<Row> rows(bool banked = false) {
  const std::size_t at = banked ? 4 : 3;
  std::ifstream page(gen::paths::source() / "docs" / "cache-strings.md");
  std::vector<Row> all;
  for (std::string line; std::getline(page, line);) {
    std::istringstream in(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(in, cell, '|');) cells.push_back(cell);
    if (cells.size() != at + 2 || !cells[at].starts_with(" `")) continue;
    const auto inner = [&](std::size_t n) { return cells[n].substr(1, cells[n].size() - 2); };
    const std::string text = inner(at);
    all.push_back({inner(1), inner(2), text.substr(1, text.size() - 2), inner(at + 1),
                   banked ? std::stoi(inner(3)) : 1});
  }
  return all;
}

std::string refusal(const std::string& text, int banks = 1) {
  try {
    gen::toml_of_gpgpusim(text, banks);
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

template <class P>
bool is_built(const P& p) {
  try {
    hw::check_built(p);
    return true;
  } catch (const hw::ParamError&) {
    return false;
  }
}

// All numbers of a text, in order.
std::vector<int> numbers_of(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c < '0' || c > '9'; }, ' ');
  std::istringstream in(text);
  std::vector<int> numbers;
  for (int number = 0; in >> number;) numbers.push_back(number);
  return numbers;
}

// What the page says of a cache.
std::string described(const hw::L1dParams& p) {
  return fmt::format("{}{} set{} of {} way{}, {} MSHRs of {}, queue {}",
                     is_built(p) ? "" : "models: ", hw::sets_of(p), hw::sets_of(p) == 1 ? "" : "s", p.ways,
                     p.ways == 1 ? "" : "s", p.mshr_entries, p.mshr_merges, p.miss_queue);
}

TEST(Import, StringsOfPublicConfigurations) {
  const std::vector<Row> all = rows();
  ASSERT_GE(all.size(), 50u);
  for (const auto& [gpu, cache, text, becomes, banks] : all) {
    const std::string what = refusal(text);
    if (becomes.starts_with("refused: ")) {
      EXPECT_THAT(what, testing::StartsWith(text + ": no such cache is built: ")) << text;
      std::istringstream in(becomes.substr(9));
      int parts = 0;
      for (std::string part; std::getline(in, part, ';'); ++parts)
        EXPECT_THAT(what, testing::HasSubstr(part.substr(part.find_first_not_of(' ')))) << text;
      EXPECT_EQ(std::ranges::count(what, ';') + 1, parts) << what;
      continue;
    }
    ASSERT_EQ(what, "") << text;
    const std::string toml = gen::toml_of_gpgpusim(text);
    const gen::Config config = gen::parse_config(toml, "file");
    const auto& p = config.get<hw::L1dParams>();
    hw::check(p);
    EXPECT_EQ(described(p), becomes) << gpu << ", " << cache << ": " << text;
    EXPECT_GE(1 << p.core_id_bits, p.mshr_entries * p.mshr_merges) << text;
    EXPECT_EQ(toml.find("# Of models alone") == std::string::npos, is_built(p)) << toml;
    EXPECT_EQ(p.tags == hw::TagKind::sectored, text[0] == 'S') << text;
    // The numbers in the order of the string: sets, line, ways, MSHRs, merges, queue.
    const std::vector<int> numbers = numbers_of(text);
    EXPECT_EQ(
        (std::vector<int>{hw::sets_of(p), p.line_bytes, p.ways, p.mshr_entries, p.mshr_merges, p.miss_queue}),
        std::vector<int>(numbers.begin(), numbers.begin() + 6))
        << text;
  }
}

// The same strings in banks; a bank has a share of the sets, the MSHRs and the queue.
TEST(Import, StringsInBanks) {
  const std::vector<Row> all = rows(true);
  ASSERT_GE(all.size(), 10u);
  for (const auto& [gpu, cache, text, becomes, banks] : all) {
    if (becomes.starts_with("refused: ")) {
      EXPECT_EQ(refusal(text, banks),
                fmt::format("{}: no such cache is built in {} banks: {}", text, banks, becomes.substr(9)));
      continue;
    }
    const std::string toml = gen::toml_of_gpgpusim(text, banks);
    const auto p = gen::parse_config(toml, "file").get<hw::BankedL1dParams>();
    hw::check(p);
    std::string shape = described(hw::bank_of(p));
    if (shape.starts_with("models: ")) shape = shape.substr(8);
    EXPECT_EQ(fmt::format("{}{} banks of {}", is_built(p) ? "" : "models: ", banks, shape), becomes) << toml;
    EXPECT_EQ(toml.find("# Of models alone") == std::string::npos, is_built(p)) << toml;
    EXPECT_EQ(p.l1d.tags == hw::TagKind::sectored, text[0] == 'S') << text;
    EXPECT_GE(1 << p.l1d.core_id_bits, p.l1d.mshr_entries * p.l1d.mshr_merges) << text;
    if (!is_built(p)) continue;
    EXPECT_FALSE(hw::banked_l1d(p, "cache").module.name().empty()) << text;
  }
}

// Each cache of hardware elaborates, and each of models alone is refused by name.
TEST(Import, ImportedCachesElaborate) {
  std::set<std::string> tried;
  for (const auto& [gpu, cache, text, becomes, banks] : rows()) {
    if (becomes.starts_with("refused: ") || !tried.insert(text).second) continue;
    const gen::Config config = gen::parse_config(gen::toml_of_gpgpusim(text), "file");
    const auto& p = config.get<hw::L1dParams>();
    if (is_built(p)) {
      EXPECT_FALSE(hw::l1d(p, "cache").module.name().empty()) << text;
      continue;
    }
    try {
      hw::l1d(p, "cache");
      ADD_FAILURE() << text;
    } catch (const hw::ParamError& error) {
      EXPECT_THAT(error.rule, testing::HasSubstr("models of one cache, in explore")) << text;
    }
  }
  EXPECT_GE(tried.size(), 30u);
}

TEST(Import, EveryPartBeyondIsNamedAtOnce) {
  EXPECT_EQ(refusal("S:3:128:513,L:L:m:N:L,A:1024:8,129:0,32"),
            "S:3:128:513,L:L:m:N:L,A:1024:8,129:0,32: no such cache is built: the number of sets 3 at "
            "character 3 must be a power of two from 1 to 65536; the associativity 513 at character 9 must "
            "be from 1 to 512; the number of MSHRs 1024 at character 25 must be from 1 to 512; the miss "
            "queue 129 at character 32 must be from 1 to 128");
}

// One set has nothing to index, by any letter.
TEST(Import, OneSetHasNoIndexFunction) {
  for (const char* letter : {"L", "X", "P", "H"}) {
    const std::string text = fmt::format("S:1:128:512,L:L:m:N:{},A:256:8,16:0,32", letter);
    const auto config = gen::parse_config(gen::toml_of_gpgpusim(text), "file");
    const auto& p = config.get<hw::L1dParams>();
    EXPECT_EQ(p.index.kind, hw::IndexKind::cvi);
    EXPECT_EQ(hw::sets_of(p), 1);
    EXPECT_NO_THROW(hw::check(p));
  }
}

}  // namespace
