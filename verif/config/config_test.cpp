// Configurations that load: values, precedence, names, the corpus, and any corruption of it.
#include "gen/config/config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "gen/config/suggest.h"
#include "gen/unit/unit.h"
#include "hw/index/index_unit.h"
#include "hw/l1d/l1d.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
using hw::IndexKind;
using hw::IndexParams;

const IndexParams& index_of(const gen::Config& config) { return config.get<IndexParams>(); }

void check_index(const gen::Config& config) {
  gen::with_places(config, [&] {
    if (const auto* index = config.params.find<IndexParams>()) hw::check(*index);
    if (const auto* cache = config.params.find<hw::L1dParams>()) hw::check(*cache);
  });
}

std::string top(const std::string& name, const std::vector<std::string>& settings) {
  return gen::load_config(name, settings).top;
}

std::vector<fs::path> corpus() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(verif::in_source("verif/config/corpus")))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Config, SixPresetsAreIndexUnits) {
  const std::map<std::string, IndexKind> kinds = {
      {"index_cvi", IndexKind::cvi}, {"index_bxi", IndexKind::bxi}, {"index_rxi", IndexKind::rxi},
      {"index_lin", IndexKind::lin}, {"index_pli", IndexKind::pli}, {"index_pri", IndexKind::pri}};
  EXPECT_EQ(std::ranges::count(gen::presets(), gen::find_preset("index_cvi")->family, &gen::Preset::family),
            static_cast<std::ptrdiff_t>(kinds.size()));
  for (const auto& [name, kind] : kinds) {
    const gen::Config config = gen::load_config(name);
    EXPECT_EQ(config.preset, name);
    EXPECT_EQ(config.top, name);
    EXPECT_EQ(config.source, name);
    EXPECT_TRUE(config.places.empty());
    EXPECT_EQ(index_of(config).kind, kind);
    EXPECT_NO_THROW(hw::check(index_of(config)));
  }
}

TEST(Config, FlagsWinOverTheFileAndLaterFlagsOverEarlierOnes) {
  const auto config = gen::parse_config("preset = \"index_cvi\"\n[index]\nsets = 64\nlatency = 1\n",
                                        "my.toml", {"index.sets=128", "index.sets = 256", "index.kind=bxi"});
  EXPECT_EQ(index_of(config), (IndexParams{.kind = IndexKind::bxi, .sets = 256, .latency = 1}));
  EXPECT_EQ(config.top, "index_cvi_bxi_s256_l1");
  EXPECT_EQ(config.places.at("index.sets"), "-s index.sets = 256");
  EXPECT_EQ(config.places.at("index.latency"), "my.toml:4:11");
  EXPECT_EQ(config.places.at("preset"), "my.toml:1:10");
  EXPECT_EQ(top("index_cvi", {"preset=index_pri"}), "index_pri");
}

TEST(Config, PlacesOfListEntriesBelongToTheLastValue) {
  const auto config = gen::parse_config("preset = \"index_cvi\"\nindex.taps = [[7], [8, 9]]\n", "my.toml",
                                        {"index.taps=[[7]]"});
  EXPECT_EQ(config.places.at("index.taps[0][0]"), "-s index.taps=[[7]]");
  EXPECT_FALSE(config.places.contains("index.taps[1][1]"));
}

TEST(Config, FormsOfOneInteger) {
  for (const char* form : {"64", "+64", "0x40", "0o100", "0b100_0000", "6_4", " 64 # sets"})
    EXPECT_EQ(index_of(gen::load_config("index_pli", {fmt::format("index.sets={}", form)})).sets, 64) << form;
}

TEST(Config, AutomaticPolynomialAndTaps) {
  EXPECT_EQ(index_of(gen::load_config("index_pli")).poly, 0x25u);
  EXPECT_EQ(index_of(gen::load_config("index_pli", {"index.sets=64"})).poly, 0x43u);
  EXPECT_EQ(index_of(gen::load_config("index_pli", {"index.sets=2"})).poly, 3u);

  const auto fold = gen::load_config("index_lin");
  EXPECT_EQ(fold.resolved["index.taps"].dump(),
            "[[7,12,17,22,27],[8,13,18,23,28],[9,14,19,24,29],[10,15,20,25,30],[11,16,21,26,31]]");
  EXPECT_EQ(gen::load_config("index_cvi", {"index.kind=lin"}).params, fold.params);
  const auto wide =
      gen::load_config("index_lin", {"geometry.line_bytes=32", "index.sets=4", "geometry.address_bits=20"});
  EXPECT_EQ(wide.resolved["index.taps"].dump(), "[[5,7,9,11,13,15,17,19],[6,8,10,12,14,16,18]]");
  EXPECT_EQ(wide.top, "index_lin_n20_b32_s4");
}

TEST(Config, RepeatedTapsCancel) {
  const auto config = gen::load_config("index_lin", {"index.taps=[[12,7,12,12],[8],[9],[10],[11,13,13]]"});
  EXPECT_EQ(config.resolved["index.taps"].dump(), "[[7,12],[8],[9],[10],[11]]");
  EXPECT_EQ(config.top, top("index_lin", {"index.taps=[[7,12],[8],[9],[10],[11]]"}));
}

TEST(Config, KeysOfOtherKindsAreIgnored) {
  const auto config =
      gen::load_config("index_cvi", {"index.poly=0x43", "index.allow_reducible=true", "index.taps=[[63]]"});
  EXPECT_EQ(index_of(config), IndexParams{});
  EXPECT_EQ(config.top, "index_cvi");
}

TEST(Config, Resolved) {
  EXPECT_EQ(gen::load_config("index_pli", {"index.latency=2", "geometry.address_bits=40"}).resolved.dump(),
            R"({"geometry.address_bits":40,"geometry.line_bytes":128,"index.kind":"pli","index.sets":32,)"
            R"("index.poly":37,"index.allow_reducible":false,"index.taps":[],"index.latency":2})");
}

TEST(Config, ResolvedValuesLoadAsTheSameHardware) {
  for (const std::string preset : {"index_lin", "index_pli", "index_pri"})
    for (const std::string sets : {"2", "64", "4096"}) {
      const auto first = gen::load_config(preset, {"index.sets=" + sets, "geometry.address_bits=33"});
      std::vector<std::string> settings;
      for (const auto& [key, value] : first.resolved.items())
        settings.push_back(fmt::format("{}={}", key, value.dump()));
      const auto second = gen::load_config(preset, settings);
      EXPECT_EQ(second.params, first.params);
      EXPECT_EQ(second.top, first.top);
    }
}

TEST(Config, TopNames) {
  EXPECT_EQ(top("index_pli", {"geometry.address_bits=40", "geometry.line_bytes=64", "index.sets=64",
                              "index.poly=0x61", "index.latency=3"}),
            "index_pli_n40_b64_s64_p97_l3");
  EXPECT_EQ(top("index_pli", {"index.sets=64"}), "index_pli_s64");
  EXPECT_EQ(top("index_pli", {"index.poly=37"}), "index_pli");
  EXPECT_EQ(top("index_pli", {"index.sets=64", "index.poly=0x43"}), "index_pli_s64");
  EXPECT_EQ(top("index_pli", {"index.poly=0x21", "index.allow_reducible=true"}), "index_pli_p33");
  EXPECT_EQ(top("index_pli", {"index.allow_reducible=true"}), "index_pli");
  EXPECT_EQ(top("index_lin", {"index.kind=pri", "index.latency=0"}), "index_lin_pri");
  EXPECT_EQ(top("index_cvi", {"index.kind=lin"}), "index_cvi_lin");
  // zlib.crc32(b"[[7,12],[8],[9],[10],[11]]")
  EXPECT_EQ(top("index_lin", {"index.taps=[[7,12],[8],[9],[10],[11]]", "index.latency=1"}),
            "index_lin_t0e71c228_l1");
  EXPECT_EQ(top("index_lin", {"index.taps=[[7,12,17,22,27],[8,13,18,23,28],[9,14,19,24,29],[10,15,20,25,30],"
                              "[11,16,21,26,31]]"}),
            "index_lin");
  EXPECT_EQ(top("index_lin", {"name=my_index_2"}), "my_index_2");
  EXPECT_EQ(top("index_lin", {"name=\"\"", "index.latency=1"}), "index_lin_l1");
}

namespace {

std::vector<std::string> part_names(const gen::Config& config) {
  std::vector<std::string> names;
  for (const rtl::Module& m : rtl::modules_of(gen::elaborate(config).top)) names.push_back(m.name());
  return names;
}

}  // namespace

// A text of its own for each part, also where its name is cut.
TEST(Config, NamesOfPartsHaveFortyCharacters) {
  const std::vector<std::string> small{"topology.cores=4", "topology.nodes=2", "topology.slices=2",
                                       "topology.clusters=1"};
  const auto with = [&](const std::string& name) {
    std::vector<std::string> settings = small;
    settings.push_back("name=" + name);
    return part_names(gen::load_config("dc_l1", settings));
  };
  const std::string long_name(80, 'a');
  const auto plain = with("dc_l1"), cut = with("dc_l1_with_four_cores"), of_long = with(long_name);
  EXPECT_EQ(plain.size(), cut.size());
  EXPECT_EQ(plain.size(), of_long.size());
  EXPECT_THAT(plain, testing::Contains("dc_l1_cache_node_cache_data_store"));
  EXPECT_EQ(cut.back(), "dc_l1_with_four_cores");
  // zlib.crc32(b"dc_l1_with_four_cores")
  EXPECT_THAT(cut, testing::Contains("dc_l1_xa8629c3f_node_requests"));
  EXPECT_THAT(cut, testing::Contains(testing::MatchesRegex("dc_l1_x[0-9a-f]{8}_cache_data_store_column")));
  std::set<std::string> kept(cut.begin(), cut.end());
  EXPECT_EQ(kept.size(), cut.size());
  for (const std::string& name : of_long)
    EXPECT_TRUE(!name.starts_with("dc_l1") || !kept.contains(name)) << name << " is in two designs";
  for (const auto& names : {plain, cut, of_long})
    for (const std::string& name : names) EXPECT_TRUE(name.size() <= 40 || name == long_name) << name;
}

TEST(Config, LongTopNamesAreCut) {
  const auto made = [](const char* period) {
    return gen::load_config(
        "dc_l1",
        {"topology.kind=private_nodes", "topology.cores=4", "topology.nodes=2", "topology.slices=2",
         "crossbar.vc_depth=2", "crossbar.vcs=2", "geometry.line_bytes=64", "geometry.capacity_bytes=1024",
         "mshr.entries=2", "index.kind=adi", std::string("adaptive.period=") + period});
  };
  EXPECT_THAT(made("64").top, testing::MatchesRegex("dc_l1_private_nodes_cores4_x[0-9a-f]{8}"));
  EXPECT_NE(made("64").top, made("128").top);
  for (const std::string& name : part_names(made("64"))) EXPECT_LE(name.size(), 40u) << name;
}

TEST(Config, Corpus) {
  const std::map<std::string, std::string> tops = {{"good_crlf", "index_rxi_l1"},
                                                   {"good_fold40", "index_lin_n40_b64_s256"},
                                                   {"good_ignored", "index_cvi"},
                                                   {"good_kind", "index_cvi_bxi"},
                                                   {"good_lin_taps", "index_lin_tca95e517"},
                                                   {"good_named", "prime_127"},
                                                   {"good_pli64", "index_pli_s64"},
                                                   {"good_reducible", "index_pli_p33"}};
  std::size_t good = 0;
  for (const fs::path& path : corpus()) {
    const std::string name = path.stem();
    std::string got;
    try {
      const auto config = gen::load_config(path);
      check_index(config);
      got = config.top;
    } catch (const gen::ConfigError& error) {
      got = error.what();
    }
    if (name.starts_with("good_")) {
      ++good;
      EXPECT_EQ(got, tops.at(name));
      continue;
    }
    // The first line of a bad file says what is wrong with it: "# 5:8: ...", or without a position.
    const std::string first = content(path).substr(2, content(path).find('\n') - 2);
    const std::string expected =
        fmt::format("{}:{}{}", path.string(), std::isdigit(first[0]) ? "" : " ", first);
    if (expected.ends_with("..."))
      EXPECT_THAT(got, testing::StartsWith(expected.substr(0, expected.size() - 3)));
    else
      EXPECT_EQ(got, expected);
  }
  EXPECT_EQ(good, tops.size());
}

TEST(Config, CorruptedFilesAreRefusedInOneLineOrLoad) {
  const char* given = std::getenv("SEED");
  const unsigned seed = given ? static_cast<unsigned>(std::strtoul(given, nullptr, 0)) : 1;
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  for (const fs::path& path : corpus()) texts.push_back(content(path));
  const std::string alphabet = "[]{}=.,#\"'\n\\ 0129abxe-+_:\x01\xff\xc3";
  int loaded = 0, refused = 0;
  for (int run = 0; run < 4000; ++run) {
    std::string text = texts[random() % texts.size()];
    for (unsigned edits = random() % 4; edits-- > 0 && !text.empty();) {
      const std::size_t at = random() % text.size();
      const std::string& other = texts[random() % texts.size()];
      switch (random() % 4) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, random() % 8);
          break;
        case 2:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        case 3:
          text.insert(at, other.substr(random() % other.size(), random() % 30));
          break;
      }
    }
    try {
      const auto config = gen::parse_config(text, "fuzz.toml");
      check_index(config);
      ++loaded;
    } catch (const gen::ConfigError& error) {
      const std::string line = error.what();
      ++refused;
      EXPECT_TRUE(line.starts_with("fuzz.toml:") && line.find('\n') == std::string::npos)
          << "SEED=" << seed << " run " << run << ": " << line;
    }
  }
  EXPECT_GT(loaded, 200);
  EXPECT_GT(refused, 1000);
}

TEST(Suggest, NearestWords) {
  EXPECT_EQ(gen::edit_distance("", "abc"), 3);
  EXPECT_EQ(gen::edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(gen::nearest_word("index_plj", gen::preset_names()), "index_pli");
  EXPECT_EQ(gen::nearest_word("pri", gen::preset_names()), "index_pri");
  EXPECT_EQ(gen::nearest_word("x", {"y"}), "");
  EXPECT_EQ(gen::nearest_key("kind", {"name", "index.kind"}), "index.kind");
  EXPECT_EQ(gen::nearest_key("indx.kin", {"index.kind"}), "index.kind");
  EXPECT_EQ(gen::nearest_key("tags.kind", {"index.kind"}), "");
}

}  // namespace
