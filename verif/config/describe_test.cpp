// `list`, `describe` and the JSON Schema say what the tables say, for every key.
#include "gen/config/describe.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "gen/config/config.h"

namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

// The part of a schema that describes a dotted key.
const Json& property(const Json& schema, std::string key) {
  const Json* at = &schema;
  for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.')) {
    at = &at->at("properties").at(key.substr(0, dot));
    key.erase(0, dot + 1);
  }
  return at->at("properties").at(key);
}

// Keys in a table and in those inside it.
std::size_t keys_in(const Json& table) {
  if (!table.contains("properties")) return 1;
  EXPECT_EQ(table["additionalProperties"], false) << table["description"];
  std::size_t keys = 0;
  for (const auto& [name, entry] : table["properties"].items()) keys += keys_in(entry);
  return keys;
}

TEST(Describe, ListNamesEveryPresetWithItsPaper) {
  const std::string list = gen::list_text();
  EXPECT_THAT(list, HasSubstr("set-index unit: maps a block address to a set number and the tag to store\n"));
  EXPECT_THAT(
      list,
      HasSubstr("  index_pli  polynomial modulus: the remainder of the block address by P(x) over GF(2) "
                "[ACI thesis, section 3.2.3]\n"));
  for (const std::string& name : gen::preset_names())
    EXPECT_THAT(list, HasSubstr(fmt::format("  {}  ", name)));
}

TEST(Describe, TextLoadsAsThePreset) {
  for (const std::string& name : gen::preset_names()) {
    const std::string text = gen::describe_text(name);
    const auto config = gen::parse_config(text, "described.toml");
    EXPECT_EQ(config.params, gen::load_config(name).params);
    EXPECT_EQ(config.top, gen::find_preset(name)->stem());
    for (const gen::Key& key : gen::find_preset(name)->family->keys)
      EXPECT_TRUE(config.places.contains(key.key)) << key.key;
  }
}

TEST(Describe, TextSaysRangeUnitMeaningAndSource) {
  EXPECT_THAT(
      gen::describe_text("index_pli"),
      HasSubstr("# Number 2^S of sets; S is less than the block address' bits, so that a tag is left. In a "
                "cache it\n"
                "# follows from the geometry, and any other value is refused.\n"
                "# Range: a power of two from 2 to 65536. Unit: sets.\n"
                "# Source: ACI thesis, section 3.2. In the module name: _sNUMBER.\n"
                "sets = 32\n"));
  EXPECT_THAT(gen::describe_text("index_pli"), HasSubstr("# Here it stands for 37.\npoly = 0\n"));
  EXPECT_THAT(gen::describe_text("index_cvi"),
              HasSubstr("# Counts only with index.kind = pli; otherwise it is range-checked and ignored.\n"));
  EXPECT_THAT([] { gen::describe_text("index_ply"); },
              testing::ThrowsMessage<gen::ConfigError>(
                  "index_ply: neither a preset nor a TOML file; did you mean index_pli?"));
}

TEST(Describe, EveryRowIsComplete) {
  for (const gen::Family* family : gen::families()) {
    std::set<std::string> keys, suffixes;
    for (const gen::Key& key : family->keys) {
      EXPECT_TRUE(keys.insert(key.key).second) << key.key;
      EXPECT_TRUE(key.meaning.ends_with('.')) << key.key;
      EXPECT_FALSE(key.source.empty()) << key.key;
      if (key.suffix == "") {
        for (const std::string& choice : key.choices) EXPECT_TRUE(suffixes.insert(choice).second) << key.key;
      } else if (key.suffix) {
        EXPECT_TRUE(suffixes.insert(*key.suffix).second) << key.key;
      }
      const gen::Value value = key.get(family->defaults);
      if (key.type == gen::KeyType::integer) {
        EXPECT_TRUE(gen::in_range(key, std::get<std::int64_t>(value))) << key.key;
      }
      gen::Params params = family->defaults;
      key.set(params, value);
      EXPECT_EQ(params, family->defaults) << key.key;
    }
  }
}

TEST(Describe, Json) {
  const Json described = gen::describe_json("index_lin");
  EXPECT_EQ(described["preset"], "index_lin");
  EXPECT_EQ(described["keys"].size(),
            gen::common_keys().size() + gen::find_preset("index_lin")->family->keys.size());
  EXPECT_EQ(described["keys"][4]["key"], "index.kind");
  EXPECT_EQ(described["keys"][4]["default"], "lin");
}

TEST(Schema, HasEveryKeyWithTypeRangeAndDefault) {
  const Json schema = gen::config_schema();
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(property(schema, "preset")["default"], "l1d");
  EXPECT_EQ(property(schema, "preset")["enum"], Json(gen::preset_names()));
  EXPECT_EQ(property(schema, "name")["default"], "");
  std::set<std::string> keys;  // families share some
  // Vortex has other lines than the reference cache, units alone have no stages, and l1_subsystem has others.
  const std::set<std::string> differ{"geometry.line_bytes", "selector.stages", "table.stages",
                                     "coalescer.stages", "coalescer.answer_stages", "core.request_slice"};
  for (const gen::Family* family : gen::families())
    for (const gen::Key& key : family->keys) {
      const Json& entry = property(schema, key.key);
      if (differ.contains(key.key)) {
        EXPECT_FALSE(entry.contains("default")) << key.key;
      } else {
        EXPECT_EQ(entry.at("default"), gen::to_json(key.get(family->defaults))) << key.key;
      }
      EXPECT_THAT(entry.at("description").get<std::string>(), HasSubstr(key.meaning));
      keys.insert(key.key);
    }
  EXPECT_EQ(keys_in(schema), keys.size() + gen::common_keys().size());
}

TEST(Schema, Ranges) {
  const Json schema = gen::config_schema();
  EXPECT_EQ(property(schema, "geometry.line_bytes")["enum"], Json::array({32, 64, 128, 256}));
  EXPECT_EQ(property(schema, "index.sets")["enum"].size(), 17u);
  EXPECT_EQ(property(schema, "index.latency")["minimum"], 0);
  EXPECT_EQ(property(schema, "index.latency")["maximum"], 4);
  EXPECT_EQ(property(schema, "index.allow_reducible")["type"], "boolean");
  EXPECT_EQ(property(schema, "index.kind")["enum"],
            Json::array({"cvi", "bxi", "rxi", "lin", "pli", "pri", "adi"}));
  EXPECT_EQ(property(schema, "index.poly")["anyOf"].dump(),
            R"([{"const":0},{"type":"integer","minimum":2,"maximum":131071}])");
  const Json& taps = property(schema, "index.taps");
  EXPECT_EQ(taps["maxItems"], 16);
  EXPECT_EQ(taps["items"]["items"].dump(), R"({"type":"integer","minimum":5,"maximum":63})");
}

}  // namespace
