#include "gen/config/manifest_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gen/config/catalogue.h"
#include "gen/config/error.h"
#include "gen/config/json_file.h"
#include "gen/config/text.h"
#include "gen/version.h"
#include "hw/rtl/names.h"

namespace gen {
namespace {

Written written(const nlohmann::json& value, const std::string& place) {
  Written w;
  w.place = place;
  w.source = shortened(value.dump());
  if (value.is_number_integer()) {
    w.type = Written::Type::integer;
    w.integer = value.get<std::int64_t>();
  } else if (value.is_number_float()) {
    w.type = Written::Type::real;
    w.real = value.get<double>();
  } else if (value.is_boolean()) {
    w.type = Written::Type::boolean;
    w.boolean = value.get<bool>();
  } else if (value.is_string()) {
    w.type = Written::Type::text;
    w.text = value.get<std::string>();
  } else if (value.is_array()) {
    w.type = Written::Type::list;
    for (const nlohmann::json& item : value) w.items.push_back(written(item, place));
  }
  return w;
}

std::string text_at(const nlohmann::json& json, const char* key, const std::string& path) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string())
    throw ConfigError(path, fmt::format("is no manifest of a unit: it has no \"{}\"", key));
  return found->get<std::string>();
}

}  // namespace

bool is_manifest(const std::string& name) { return name.ends_with(".json"); }

Manifest read_manifest(const std::string& path) {
  const auto json = json_from<nlohmann::json>(read_file(path), path);
  if (!json.is_object()) throw ConfigError(path, "is no manifest of a unit: it is no JSON object");
  if (text_at(json, "generator", path) != "l1forge")
    throw ConfigError(path, "is no manifest of a unit: l1forge did not write it");
  if (const std::string by = text_at(json, "version", path); by != version)
    throw ConfigError(path,
                      fmt::format("was written by version {} of l1forge, this is {}; generate it from its "
                                  "configuration",
                                  by, version));
  Manifest manifest{.path = path, .preset = text_at(json, "preset", path), .top = text_at(json, "top", path)};
  if (const std::string fault = rtl::name_fault(manifest.top); !fault.empty())
    throw ConfigError(path, fmt::format("top = {}: {}", shortened(manifest.top), fault));
  if (!find_preset(manifest.preset))
    throw ConfigError(path, fmt::format("preset = {}: there is no such preset", shortened(manifest.preset)));
  const auto parameters = json.find("parameters");
  if (parameters == json.end() || !parameters->is_object())
    throw ConfigError(path, "is no manifest of a unit: it has no \"parameters\"");
  for (const auto& [key, value] : parameters->items())
    manifest.parameters.push_back({.key = key, .key_place = path, .value = written(value, path)});
  if (json.contains("prefix")) manifest.prefix = text_at(json, "prefix", path);
  if (json.contains("technology")) manifest.technology = text_at(json, "technology", path);
  manifest.black_boxes = json.contains("ram_bodies");
  manifest.orfs = json.contains("flow_files");
  manifest.bench = json.contains("bench_files");
  manifest.bender = json.contains("package_files");
  return manifest;
}

}  // namespace gen
