// A hundred thousand upsets of each protected array of a cache, none of them silent.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

void none_is_silent(const char* cache, std::vector<std::string> settings) {
  const verif::TempFolder folder;
  std::vector<std::string> words{"verify", cache, "--upsets", "100000", "--json", folder.path("upsets.json")};
  for (const std::string& setting : settings) words.insert(words.end(), {"-s", setting});
  const auto done = verif::l1forge(words);
  ASSERT_TRUE(done.ok()) << done.output;
  const auto report = nlohmann::json::parse(folder.content("upsets.json"));
  ASSERT_FALSE(report["arrays"].empty());
  for (const auto& array : report["arrays"]) {
    EXPECT_GE(array["upsets"].get<int>(), 100'000) << array;
    EXPECT_EQ(array["silent"].get<int>(), 0) << array;
    EXPECT_GT(array["wrong_without_check"].get<int>(), 0) << array << ": the check has nothing to do";
  }
}

// The same caches without their protection.
void some_are_silent(const char* cache, const std::vector<std::string>& settings) {
  const verif::TempFolder folder;
  std::vector<std::string> words{
      "verify", cache, "--upsets", "100000", "--without-check", "--json", folder.path("upsets.json")};
  for (const std::string& setting : settings) words.insert(words.end(), {"-s", setting});
  const auto done = verif::l1forge(words);
  ASSERT_TRUE(done.ok()) << done.output;
  const auto report = nlohmann::json::parse(folder.content("upsets.json"));
  ASSERT_EQ(report["arrays"].size(), 2 - (settings.size() == 1));
  for (const auto& array : report["arrays"]) EXPECT_GT(array["wrong_loads"].get<int>(), 0) << array;
}

}  // namespace

TEST(UpsetsFull, NoneOfAHundredThousandIsSilent) {
  for (const char* code : {"parity", "secded"}) {
    const std::string tags = fmt::format("ecc.tags={}", code), data = fmt::format("ecc.data={}", code);
    for (const char* cache :
         {"l1d", "l1d_sectored", "l1d_reuse_filter", "l1d_tsc", "l1d_tsc_plus", "l1d_dsc"})
      none_is_silent(cache, {tags, data});
    none_is_silent("l1d_gpu", {tags, data, "ecc.word_bits=8"});
    none_is_silent("l1d_iacm", {tags, data});
  }
}

TEST(UpsetsFull, NoneOfRowsThatExistOnceIsSilent) {
  for (const char* cache : {"l1d", "l1d_gpu", "l1d_tsc", "l1d_dsc"})
    for (const char* code : {"parity", "secded"}) none_is_silent(cache, {fmt::format("ecc.mshr={}", code)});
}

TEST(UpsetsFull, WithoutTheCheckLoadsHaveWrongData) {
  for (const char* cache : {"l1d", "l1d_sectored", "l1d_reuse_filter", "l1d_tsc", "l1d_dsc"})
    some_are_silent(cache, {"ecc.tags=secded", "ecc.data=secded"});
  some_are_silent("l1d_gpu", {"ecc.tags=parity", "ecc.data=parity", "ecc.word_bits=8"});
}
