// The seeds of the fuzzer and thousands of mutations of them, the same ones in every run: no crash, no hang,
// and no error that is not one printable line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "gen/files.h"
#include "verif/fuzz/targets.h"
#include "verif/tree.h"

namespace {
namespace fs = std::filesystem;

const fs::path here = verif::in_source("verif/fuzz");

std::vector<std::string> seeds(std::string_view target) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(here / "seeds" / target)) paths.push_back(entry.path());
  if (target == "toml")
    for (const auto& entry : fs::directory_iterator(here / "../config/corpus")) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> out;
  for (const auto& path : paths) out.push_back(gen::read_file(path));
  return out;
}

// Flips, cuts, repeats, and pieces of other seeds.
std::string mutated(const std::vector<std::string>& seeds, std::mt19937& random) {
  static const std::string alphabet("\0\xff \n\t=,.-#[]{}\"'0123456789abcdefxLSANR", 38);
  std::string text = seeds[random() % seeds.size()];
  for (unsigned edits = 1 + random() % 5; edits-- > 0 && !text.empty();) {
    const std::size_t at = random() % text.size(), size = random() % 40;
    const std::string& other = seeds[random() % seeds.size()];
    switch (random() % 6) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ 1 << random() % 8);
        break;
      case 1:
        text[at] = alphabet[random() % alphabet.size()];
        break;
      case 2:
        text.erase(at, size);
        break;
      case 3:
        text.insert(at, other, random() % other.size(), size);
        break;
      case 4:
        text.insert(at, std::to_string(random() >> random() % 32));
        break;
      case 5:
        text.insert(at, text.substr(at, size));
        break;
    }
  }
  return text;
}

class Fuzz : public testing::TestWithParam<verif::FuzzTarget> {};

TEST_P(Fuzz, SeedsAndTheirMutations) {
  const auto run = [](const std::string& text) {
    GetParam().run({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  const auto all = seeds(GetParam().name);
  ASSERT_FALSE(all.empty());
  run("");
  for (const std::string& seed : all) run(seed);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutated(all, random);
    ASSERT_NO_THROW(run(text)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Fuzz,
                         testing::ValuesIn(verif::fuzz_targets().begin(), verif::fuzz_targets().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
