// Every way in which a configuration can be wrong, by its exact message.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "gen/config/config.h"
#include "hw/index/index_unit.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

// What the user reads; "" when nothing is wrong.
template <class Step>
std::string error_of(Step&& step) {
  try {
    step();
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

void check_index(const gen::Config& config) {
  gen::with_places(config, [&] { hw::check(config.get<hw::IndexParams>()); });
}

std::string in_file(const std::string& toml) {
  return error_of([&] { check_index(gen::parse_config(toml, "my.toml")); });
}

// The message after the flag that it names.
std::string in_flag(const std::string& preset, const std::string& flag) {
  const std::string error = error_of([&] { check_index(gen::load_config(preset, {flag})); });
  const std::string place = fmt::format("-s {}: ", flag);
  return error.starts_with(place) ? error.substr(place.size()) : error;
}

std::string pli(const std::string& flag) { return in_flag("index_pli", flag); }
std::string lin(const std::string& flag) { return in_flag("index_lin", flag); }

TEST(ConfigError, NamesTheKeyTheRuleAndTheNearestLegalValues) {
  EXPECT_EQ(in_file("preset = \"index_pli\"\n\n[index]\nsets = 12\n"),
            "my.toml:4:8: index.sets = 12: must be a power of two from 2 to 65536; the nearest are 8 and 16");
  EXPECT_EQ(in_file("preset = \"index_pli\"\nindex.latency = 5\n"),
            "my.toml:2:17: index.latency = 5: must be from 0 to 4; the nearest is 4");
  EXPECT_EQ(
      error_of([] { gen::load_config("index_pli", {"index.sets=12"}); }),
      "-s index.sets=12: index.sets = 12: must be a power of two from 2 to 65536; the nearest are 8 and 16");
}

TEST(ConfigError, RangesOfIntegers) {
  EXPECT_EQ(pli("index.sets=0"), "index.sets = 0: must be a power of two from 2 to 65536; the nearest is 2");
  EXPECT_EQ(pli("index.sets=1"), "index.sets = 1: must be a power of two from 2 to 65536; the nearest is 2");
  EXPECT_EQ(pli("index.sets=-32"),
            "index.sets = -32: must be a power of two from 2 to 65536; the nearest is 2");
  EXPECT_EQ(pli("index.sets=0x20000"),
            "index.sets = 0x20000: must be a power of two from 2 to 65536; the nearest is 65536");
  EXPECT_EQ(pli("index.sets=9223372036854775807"),
            "index.sets = 9223372036854775807: must be a power of two from 2 to 65536; the nearest is 65536");
  EXPECT_EQ(pli("geometry.line_bytes=512"),
            "geometry.line_bytes = 512: must be a power of two from 32 to 256; the nearest is 256");
  EXPECT_EQ(pli("geometry.address_bits=19"),
            "geometry.address_bits = 19: must be from 20 to 64; the nearest is 20");
  EXPECT_EQ(pli("geometry.address_bits=65"),
            "geometry.address_bits = 65: must be from 20 to 64; the nearest is 64");
  EXPECT_EQ(pli("index.latency=-1"), "index.latency = -1: must be from 0 to 4; the nearest is 0");
  EXPECT_EQ(pli("index.poly=1"),
            "index.poly = 1: must be 0, or from 2 to 131071; use 0, the smallest irreducible polynomial of "
            "degree S");
  EXPECT_EQ(pli("index.poly=-5"),
            "index.poly = -5: must be 0, or from 2 to 131071; use 0, the smallest irreducible polynomial of "
            "degree S");
  EXPECT_EQ(pli("index.poly=131072"),
            "index.poly = 131072: must be 0, or from 2 to 131071; use 0, the smallest irreducible polynomial "
            "of degree S");
}

TEST(ConfigError, WrongTypes) {
  const std::string integer = "must be an integer (a power of two from 2 to 65536)";
  EXPECT_EQ(pli("index.sets=\"64\""), "index.sets = \"64\": " + integer + "; write it without quotes");
  EXPECT_EQ(pli("index.sets=64.0"), "index.sets = 64.0: " + integer + "; write 64");
  EXPECT_EQ(pli("index.sets=6.5"), "index.sets = 6.5: " + integer);
  EXPECT_EQ(pli("index.sets=inf"), "index.sets = inf: " + integer);
  EXPECT_EQ(pli("index.sets=nan"), "index.sets = nan: " + integer);
  EXPECT_EQ(pli("index.sets=1e300"), "index.sets = 1e+300: " + integer);
  EXPECT_EQ(pli("index.sets=true"), "index.sets = true: " + integer);
  EXPECT_EQ(pli("index.sets=many"), "index.sets = \"many\": " + integer);
  EXPECT_EQ(pli("index.sets=[64]"), "index.sets = [ 64 ]: " + integer);
  EXPECT_EQ(pli("index.sets=1979-05-27"), "index.sets = 1979-05-27: " + integer);
  EXPECT_EQ(pli("index.allow_reducible=1"), "index.allow_reducible = 1: must be true or false; write true");
  EXPECT_EQ(pli("index.allow_reducible='true'"),
            "index.allow_reducible = \"true\": must be true or false; write it without quotes");
  EXPECT_EQ(pli("index.allow_reducible=yes"), "index.allow_reducible = \"yes\": must be true or false");
  EXPECT_EQ(pli("name=7"), "name = 7: must be a string; write it in quotes");
  EXPECT_EQ(pli("name=[\"a\"]"), "name = [ \"a\" ]: must be a string");
  EXPECT_EQ(
      in_file("preset = \"index_pli\"\n[index.sets]\nx = 1\n"),
      "my.toml:3:1: index.sets.x: no such key for preset index_pli; \"l1forge describe index_pli\" lists the "
      "keys");
  EXPECT_EQ(in_file("preset = \"index_pli\"\n[index.sets]\n"),
            "my.toml:2:8: index.sets: is a table; must be a power of two from 2 to 65536");
  EXPECT_EQ(in_file("preset = \"index_pli\"\nindex = 5\n"),
            "my.toml:2:9: index = 5: is a table of keys; \"l1forge describe index_pli\" lists them");
  EXPECT_EQ(in_file("preset = \"index_pli\"\n[[index]]\nsets = 64\n"),
            "my.toml:2:1: index = [ { sets = 64 } ]: is a table of keys; \"l1forge describe index_pli\" "
            "lists them");
}

TEST(ConfigError, Choices) {
  EXPECT_EQ(pli("index.kind=plj"),
            "index.kind = \"plj\": must be one of cvi, bxi, rxi, lin, pli, pri, adi; did you mean \"pli\"?");
  EXPECT_EQ(pli("index.kind=adi2000"),
            "index.kind = \"adi2000\": must be one of cvi, bxi, rxi, lin, pli, pri, adi");
  EXPECT_EQ(pli("index.kind=3"), "index.kind = 3: must be one of cvi, bxi, rxi, lin, pli, pri, adi");
  EXPECT_EQ(in_file("preset = \"index_pl\"\n"),
            fmt::format("my.toml:1:10: preset = \"index_pl\": must be one of {}; did you mean \"index_pli\"?",
                        fmt::join(gen::preset_names(), ", ")));
}

TEST(ConfigError, UnknownKeys) {
  EXPECT_EQ(in_file("preset = \"index_pli\"\n[index]\nlatencies = 1\n"),
            "my.toml:3:1: index.latencies: no such key for preset index_pli; did you mean index.latency?");
  EXPECT_EQ(pli("sets=64"), "sets: no such key for preset index_pli; did you mean index.sets?");
  EXPECT_EQ(pli("geometry.sets=64"),
            "geometry.sets: no such key for preset index_pli; did you mean index.sets?");
  EXPECT_EQ(pli("tags.kind=split"),
            "tags.kind: no such key for preset index_pli; \"l1forge describe index_pli\" lists the keys");
  EXPECT_EQ(
      pli("index.whatever=1"),
      "index.whatever: no such key for preset index_pli; \"l1forge describe index_pli\" lists the keys");
  EXPECT_EQ(in_file("preset = \"index_pli\"\n\"index.sets\" = 64\n"),
            "my.toml:2:1: \"index.sets\": no such key for preset index_pli; did you mean index.sets?");
  EXPECT_EQ(
      in_file("preset = \"index_pli\"\n[tags]\n"),
      "my.toml:2:2: tags: no such table for preset index_pli; \"l1forge describe index_pli\" lists the keys");
  EXPECT_EQ(in_file("preset = \"index_pli\"\n[idx]\n"),
            "my.toml:2:2: idx: no such table for preset index_pli; did you mean index?");
  // The first mistake in the file is the one that is named.
  EXPECT_THAT(in_file("preset = \"index_pli\"\nzeta = 1\nalpha = 2\n"), HasSubstr("my.toml:2:1: zeta:"));
}

TEST(ConfigError, Taps) {
  EXPECT_EQ(lin("index.taps=7"),
            "index.taps = 7: must be a list of at most 16 lists of integers from 5 to 63; write it like "
            "[[7, 12], [8, 13], ...], a list for each index bit");
  EXPECT_EQ(lin("index.taps=[[7],8]"),
            "index.taps[1] = 8: must itself be a list; index.taps is a list of lists, write it like "
            "[[7, 12], [8, 13], ...], a list for each index bit");
  EXPECT_EQ(lin("index.taps=[[7,\"x\"]]"), "index.taps[0][1] = \"x\": must be an integer (from 5 to 63)");
  EXPECT_EQ(lin("index.taps=[[7,[8]]]"), "index.taps[0][1] = [ 8 ]: must be an integer (from 5 to 63)");
  EXPECT_EQ(lin("index.taps=[[64]]"), "index.taps[0][0] = 64: must be from 5 to 63");
  EXPECT_EQ(
      lin("index.taps=[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]"),
      "-s index.taps=[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],...: index.taps = "
      "[ [], [], [], [], [], [], [], [], [], [], [], [], [], [],...: must have at most 16 lists; it has 17");
  EXPECT_EQ(
      lin("index.taps=[[7],[8]]"),
      "index.taps = 2 lists: must have one list of address bits per index bit; index.sets = 32 has 5 index "
      "bits");
  EXPECT_EQ(lin("index.taps=[[6],[8],[9],[10],[11]]"),
            "index.taps[0][0] = 6: must be a block-address bit, from 7 to 31; the nearest is 7");
  EXPECT_EQ(lin("index.taps=[[6],[7],[9],[10],[11]]"),
            "index.taps[0][0] = 6: must be a block-address bit, from 7 to 31; the nearest is 8");
  EXPECT_EQ(lin("index.taps=[[6],[7],[7],[10],[11]]"),
            "index.taps[0][0] = 6: must be a block-address bit, from 7 to 31; use one of these");
  EXPECT_EQ(
      lin("index.taps=[[7],[8],[9],[10],[11,11]]"),
      "index.taps[4] = [11,11]: must leave a tap, or the index bit is constant; a bit named twice cancels");
  EXPECT_EQ(lin("index.taps=[[],[],[],[],[]]"),
            "index.taps[0] = []: must leave a tap, or the index bit is constant; a bit named twice cancels");
  EXPECT_EQ(
      in_file("preset = \"index_lin\"\n[index]\ntaps = [\n  [7], [8],\n  [9, 40], [10], [11]]\n"),
      "my.toml:5:7: index.taps[2][1] = 40: must be a block-address bit, from 7 to 31; the nearest is 31");
}

TEST(ConfigError, NotTOML) {
  EXPECT_EQ(in_file("preset = \"index_pli\"\n[index\nsets = 4\n"),
            "my.toml:2:7: not valid TOML: error while parsing table header: expected ']', saw '\\n'");
  EXPECT_EQ(
      in_file("preset = index_pli\n"),
      "my.toml:1:12: not valid TOML: error while parsing floating-point: expected 'inf', saw 'ind'; a string "
      "needs quotes");
  EXPECT_EQ(in_file("index.kind = pli\n"),
            "my.toml:1:14: not valid TOML: error while parsing value: could not determine value type; a "
            "string needs "
            "quotes");
  EXPECT_EQ(in_file("preset = \"index_pli\"\nname = \"\xff\"\n"),
            "my.toml:2:8: not valid TOML: encountered invalid utf-8 sequence");
  EXPECT_EQ(
      in_file("index.sets = 1\nindex.sets = 2\n"),
      "my.toml:2:14: not valid TOML: error while parsing key-value pair: cannot redefine existing integer "
      "'index.sets'");
  EXPECT_EQ(
      pli("index.sets=9223372036854775808"),
      "not valid TOML: error while parsing decimal integer: '9223372036854775808' is not representable in 64 "
      "bits");
  EXPECT_EQ(pli("index.sets=12abc"),
            "not valid TOML: error while parsing decimal integer: expected digit, saw 'a'");
  EXPECT_EQ(in_file(std::string(70000, '#')), "my.toml: is larger than 65536 bytes; no configuration is");
  std::string deep;
  for (int i = 0; i < 30000; ++i) deep += "a.";
  EXPECT_EQ(in_file(deep + "a = 1"), "my.toml: has more than 4096 dots; no configuration nests so deeply");
}

TEST(ConfigError, FlagsThatAreNoSetting) {
  EXPECT_EQ(pli("index.sets"), "must be key=value, such as -s index.sets=64");
  EXPECT_EQ(pli("=64"), "must be key=value, such as -s index.sets=64");
  EXPECT_EQ(pli("[index]sets=64"), "must be key=value, such as -s index.sets=64");
  EXPECT_EQ(pli("index.sets="), "has no value; an empty string is written '\"\"'");
  EXPECT_EQ(pli("index={sets=64}"), "is a table; write one -s for each of its keys");
  EXPECT_EQ(pli("index.sets=64\nname=\"x\""),
            "-s index.sets=64?name=\"x\": must be one short line");  // never two lines, never two settings
}

TEST(ConfigError, TopName) {
  EXPECT_EQ(
      pli("name=Top"),
      "name = \"Top\": is not lower snake case: a letter first, then letters, digits and single underscores; "
      "choose another");
  EXPECT_EQ(pli("name=module"),
            "name = \"module\": is a reserved word of Verilog, SystemVerilog or C++; choose another");
  EXPECT_EQ(pli("name=" + std::string(81, 'a')).substr(60 + 5),
            "name = \"" + std::string(56, 'a') + "...: is longer than 80 characters; choose another");
}

TEST(ConfigError, PresetsAndFiles) {
  EXPECT_EQ(in_file("[index]\nsets = 64\n"),
            "my.toml:2:8: index.sets = 64: the geometry makes 32 sets; leave it out, or change "
            "geometry.capacity_bytes or geometry.ways");
  const auto load = [](const std::string& name) { return error_of([&] { gen::load_config(name); }); };
  EXPECT_EQ(load("pli"), "pli: neither a preset nor a TOML file; did you mean index_pli?");
  EXPECT_EQ(load("nonsense"),
            "nonsense: neither a preset nor a TOML file; \"l1forge list\" shows the presets");
  EXPECT_EQ(load(""), "\"\": neither a preset nor a TOML file; \"l1forge list\" shows the presets");
  EXPECT_EQ(load("absent.toml"), "absent.toml: no such file");
  EXPECT_EQ(load("absent/file"), "absent/file: no such file");
  const std::string folder = verif::in_source("verif");
  EXPECT_EQ(load(folder), folder + ": is a folder; a TOML file is needed");
  if (std::filesystem::exists("/proc/self/mem")) {  // opens, but its first byte cannot be read
    EXPECT_EQ(load("/proc/self/mem"), "/proc/self/mem: cannot be read: Input/output error");
  }
}

TEST(ConfigError, RulesBetweenKeysAtTheUsersPlace) {
  EXPECT_EQ(
      in_file("preset = \"index_rxi\"\nindex.sets = 64\n"),
      "my.toml:2:14: index.sets = 64: rxi is published for 32 sets only; use 32 sets, or another index.kind");
  EXPECT_THAT(pli("index.poly=0x3f"), testing::StartsWith("index.poly = 0x3f: "));
  EXPECT_THAT(in_file("preset = \"index_pli\"\ngeometry.address_bits = 20\n[index]\nsets = 8192\n"),
              testing::StartsWith("my.toml:4:8: index.sets = 8192: "));

  const auto config = gen::parse_config("preset = \"index_pli\"\nindex.taps = [[7]]\n", "my.toml");
  const auto thrown = [&](const std::string& key, const std::string& remedy) {
    return error_of(
        [&] { gen::with_places(config, [&] { hw::require(false, key, 3, "must not be", remedy); }); });
  };
  EXPECT_EQ(thrown("index.sets", "use 4"), "my.toml: index.sets = 3 (default): must not be; use 4");
  EXPECT_EQ(thrown("index.taps[0][0]", ""), "my.toml:2:16: index.taps[0][0] = 3: must not be");
  EXPECT_EQ(thrown("index.taps[0][9]", ""), "my.toml:2:15: index.taps[0][9] = 3: must not be");
  EXPECT_EQ(gen::with_places(config, [] { return 7; }), 7);
}

}  // namespace
