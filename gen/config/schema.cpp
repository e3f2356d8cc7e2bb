// JSON Schema of a configuration file (draft 2020-12), for editors and for other generators.
#include <fmt/format.h>

#include <bit>

#include "gen/config/catalogue.h"
#include "gen/config/describe.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

Json integer_schema(const KeyInfo& info) {
  Json range = {{"type", "integer"}, {"minimum", info.range.least}, {"maximum", info.range.most}};
  if (info.range.power_of_two) {
    range = {{"type", "integer"}, {"enum", Json::array()}};
    for (std::int64_t value = info.range.least; value <= info.range.most; value *= 2)
      range["enum"].push_back(value);
  }
  if (!info.zero) return range;
  return {{"type", "integer"}, {"anyOf", Json::array({Json{{"const", 0}}, std::move(range)})}};
}

Json type_schema(const KeyInfo& info) {
  switch (info.type) {
    case KeyType::integer:
      return integer_schema(info);
    case KeyType::real:
      return {{"type", "number"}, {"minimum", info.range.least}, {"maximum", info.range.most}};
    case KeyType::boolean:
      return {{"type", "boolean"}};
    case KeyType::text:
      return {{"type", "string"}, {"pattern", "^([a-z][a-z0-9]*(_[a-z0-9]+)*)?$"}};
    case KeyType::choice:
      return {{"type", "string"}, {"enum", info.choices}};
    case KeyType::integers:
      return {{"type", "array"}, {"maxItems", info.max_items}, {"items", integer_schema(info)}};
    case KeyType::bit_lists:
      break;
  }
  const Json bits = {{"type", "array"}, {"items", integer_schema(info)}};
  return {{"type", "array"}, {"maxItems", info.max_lists}, {"items", bits}};
}

Json key_schema(const KeyInfo& info) {
  Json schema = type_schema(info);
  const std::string unit = info.unit.empty() ? "" : fmt::format(" Unit: {}.", info.unit);
  const std::string zero = info.zero ? fmt::format(" 0 is {}.", *info.zero) : "";
  schema["description"] = fmt::format("{}{}{} Source: {}.", info.meaning, zero, unit, info.source);
  return schema;
}

Json object(const std::string& description) {
  return {{"type", "object"},
          {"description", description},
          {"additionalProperties", false},
          {"properties", Json::object()}};
}

// The properties of the table that a dotted key stands in; adds the tables on the way.
Json& properties_of(Json& schema, std::string_view key) {
  Json* at = &schema;
  for (auto dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.')) {
    const std::string table(key.substr(0, dot));
    Json& properties = (*at)["properties"];
    if (!properties.contains(table)) properties[table] = object(fmt::format("Keys {}.*", table));
    at = &properties[table];
    key.remove_prefix(dot + 1);
  }
  return (*at)["properties"];
}

}  // namespace

nlohmann::ordered_json config_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "L1Forge configuration"}};
  schema.update(object("What to generate: a preset and the parameters that differ from it."));
  for (const KeyInfo& info : common_keys()) schema["properties"][info.key] = key_schema(info);
  schema["properties"]["name"]["default"] = "";
  schema["properties"]["preset"]["default"] = default_preset;
  for (const Family* family : families())
    for (const Key& key : family->keys) {
      Json& slot = properties_of(schema, key.key)[key.key.substr(key.key.rfind('.') + 1)];
      const Json value = to_json(key.get(family->defaults));
      if (slot.is_null()) {
        slot = key_schema(key);
        slot["default"] = value;
      } else if (slot.contains("default") && slot["default"] != value) {
        slot.erase("default");  // families share keys such as geometry.line_bytes, not always their defaults
      }
    }
  return schema;
}

}  // namespace gen
