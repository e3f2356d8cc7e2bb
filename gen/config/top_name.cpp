#include "gen/config/top_name.h"

#include <fmt/format.h>
#include <lzma.h>

namespace gen {

std::string crc32(const std::string& text) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  return fmt::format("{:08x}", lzma_crc32(bytes, text.size(), 0));
}

namespace {

std::string text_of(const KeyInfo& info, const Value& value) {
  switch (info.type) {
    case KeyType::integer:
      return fmt::format("{}{}", *info.suffix, std::get<std::int64_t>(value));
    case KeyType::boolean:
      return fmt::format("{}{}", std::get<bool>(value) ? "" : "no_", *info.suffix);
    case KeyType::choice:
    case KeyType::text:
      return fmt::format("{}{}", *info.suffix, std::get<std::string>(value));
    case KeyType::bit_lists:
    case KeyType::integers:
    case KeyType::real:
      break;
  }
  return fmt::format("{}{}", *info.suffix, crc32(to_json(value).dump()));
}

std::string fitted(const std::string& name) {
  if (name.size() <= longest_made_name) return name;
  const std::string others = "_x" + crc32(name);
  return name.substr(0, name.rfind('_', longest_made_name - others.size())) + others;
}

}  // namespace

std::string top_name(const Preset& preset, const Params& params) {
  const Family& family = *preset.family;
  const Params start = start_of(preset);
  const Params built = settled(family, params);
  std::string name = preset.stem();
  for (const Key& key : family.keys) {
    Params without = params;
    key.set(without, key.get(start));
    if (!names(family, key, built)) continue;
    const Value value = key.get(built);
    if (value != key.get(settled(family, without))) name += fmt::format("_{}", text_of(key, value));
  }
  return fitted(name);
}

}  // namespace gen
