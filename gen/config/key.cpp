#include "gen/config/key.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gen/config/error.h"
#include "gen/config/suggest.h"
#include "gen/config/text.h"

namespace gen {
namespace {

// One value on its way into one key; `name` counts list positions: "index.taps[2][1]".
struct Judge {
  const KeyInfo& info;
  const Written& written;
  std::string name;

  [[noreturn]] void refuse(const std::string& rule, const std::string& remedy) const {
    throw ConfigError(written.place, fmt::format("{} = {}: {}{}{}", name, written.source, rule,
                                                 remedy.empty() ? "" : "; ", remedy));
  }

  std::int64_t integer() const;
  double real() const;
  bool boolean() const;
  std::string text() const;
  std::string choice() const;
  BitLists bit_lists() const;
  Integers integers() const;
};

std::int64_t Judge::integer() const {
  const auto type = written.type;
  if (type == Written::Type::integer) {
    if (in_range(info, written.integer)) return written.integer;
    refuse(fmt::format("must be {}", range_text(info)), !info.depends ? nearest_text(info, written.integer)
                                                        : info.zero   ? fmt::format("use 0, {}", *info.zero)
                                                                      : "");
  }
  const std::string rule = fmt::format("must be an integer ({})", range_text(info));
  const bool whole =
      type == Written::Type::real && std::abs(written.real) < 1e9 && std::trunc(written.real) == written.real;
  if (whole && in_range(info, static_cast<std::int64_t>(written.real)))
    refuse(rule, fmt::format("write {}", static_cast<int>(written.real)));
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (type == Written::Type::text && !written.text.empty() && std::ranges::all_of(written.text, digit))
    refuse(rule, "write it without quotes");
  refuse(rule, "");
}

double Judge::real() const {
  const bool number = written.type == Written::Type::real || written.type == Written::Type::integer;
  const double value =
      written.type == Written::Type::real ? written.real : static_cast<double>(written.integer);
  if (number && value >= static_cast<double>(info.range.least) &&
      value <= static_cast<double>(info.range.most))
    return value;
  refuse(fmt::format("must be {}", range_text(info)),
         number
             ? fmt::format("the nearest is {}",
                           value > static_cast<double>(info.range.most) ? info.range.most : info.range.least)
             : "");
}

bool Judge::boolean() const {
  if (written.type == Written::Type::boolean) return written.boolean;
  const bool truth =
      written.type == Written::Type::text && (written.text == "true" || written.text == "false");
  const bool bit = written.type == Written::Type::integer && (written.integer == 0 || written.integer == 1);
  refuse("must be true or false", truth ? "write it without quotes"
                                  : bit ? fmt::format("write {}", written.integer == 1)
                                        : "");
}

std::string Judge::text() const {
  if (written.type == Written::Type::text) return written.text;
  refuse("must be a string", written.type == Written::Type::list ? "" : "write it in quotes");
}

std::string Judge::choice() const {
  if (written.type == Written::Type::text && std::ranges::count(info.choices, written.text))
    return written.text;
  const std::string near =
      written.type == Written::Type::text ? nearest_word(written.text, info.choices) : "";
  refuse(fmt::format("must be {}", range_text(info)),
         near.empty() ? "" : fmt::format("did you mean \"{}\"?", near));
}

// An entry of a list, which has to fit the others too.
KeyInfo entry_of(const KeyInfo& list) {
  KeyInfo entry = list;
  entry.type = KeyType::integer;
  entry.depends = true;
  return entry;
}

BitLists Judge::bit_lists() const {
  const std::string example = "write it like [[7, 12], [8, 13], ...], a list for each index bit";
  if (written.type != Written::Type::list) refuse(fmt::format("must be {}", range_text(info)), example);
  if (written.items.size() > static_cast<std::size_t>(info.max_lists))
    refuse(fmt::format("must have at most {} lists", info.max_lists),
           fmt::format("it has {}", written.items.size()));
  const KeyInfo entry = entry_of(info);
  BitLists lists;
  for (const Written& list : written.items) {
    const std::string at = fmt::format("{}[{}]", name, lists.size());
    if (list.type != Written::Type::list)
      Judge{info, list, at}.refuse("must itself be a list",
                                   fmt::format("{} is a list of lists, {}", name, example));
    std::vector<int> bits;
    for (const Written& bit : list.items)
      bits.push_back(static_cast<int>(Judge{entry, bit, fmt::format("{}[{}]", at, bits.size())}.integer()));
    lists.push_back(std::move(bits));
  }
  return lists;
}

Integers Judge::integers() const {
  if (written.type != Written::Type::list)
    refuse(fmt::format("must be {}", range_text(info)), "write it like [0, 9]");
  if (written.items.size() > static_cast<std::size_t>(info.max_items))
    refuse(fmt::format("must have at most {} entries", info.max_items),
           fmt::format("it has {}", written.items.size()));
  const KeyInfo entry = entry_of(info);
  Integers list;
  for (const Written& item : written.items)
    list.push_back(static_cast<int>(Judge{entry, item, fmt::format("{}[{}]", name, list.size())}.integer()));
  return list;
}

}  // namespace

bool in_range(const KeyInfo& info, std::int64_t value) {
  if (value == 0 && info.zero) return true;
  return info.range.holds(value);
}

std::string range_text(const KeyInfo& info) {
  switch (info.type) {
    case KeyType::boolean:
      return "true or false";
    case KeyType::text:
      return "a string";
    case KeyType::choice:
      return fmt::format("one of {}", joined(info.choices, ", "));
    case KeyType::bit_lists:
      return fmt::format("a list of at most {} lists of integers from {} to {}", info.max_lists,
                         info.range.least, info.range.most);
    case KeyType::integers:
      return fmt::format("a list of at most {} integers from {} to {}", info.max_items, info.range.least,
                         info.range.most);
    case KeyType::real:
      return fmt::format("a number from {} to {}", info.range.least, info.range.most);
    case KeyType::integer:
      break;
  }
  return fmt::format("{}{}from {} to {}", info.zero ? "0, or " : "",
                     info.range.power_of_two ? "a power of two " : "", info.range.least, info.range.most);
}

std::string nearest_text(const KeyInfo& info, std::int64_t value) {
  std::vector<std::int64_t> legal;
  if (info.zero) legal.push_back(0);
  if (info.range.power_of_two) {
    for (std::int64_t v = info.range.least; v <= info.range.most; v *= 2) legal.push_back(v);
  } else {
    legal.insert(legal.end(), {info.range.least, info.range.most});
  }
  const auto above = std::ranges::find_if(legal, [&](std::int64_t v) { return v > value; });
  if (above == legal.begin()) return fmt::format("the nearest is {}", legal.front());
  if (above == legal.end()) return fmt::format("the nearest is {}", legal.back());
  return fmt::format("the nearest are {} and {}", above[-1], *above);
}

Value accepted(const KeyInfo& info, const Written& written) {
  const Judge judge{info, written, info.key};
  switch (info.type) {
    case KeyType::integer:
      return judge.integer();
    case KeyType::boolean:
      return judge.boolean();
    case KeyType::text:
      return judge.text();
    case KeyType::choice:
      return judge.choice();
    case KeyType::bit_lists:
      return judge.bit_lists();
    case KeyType::integers:
      return judge.integers();
    case KeyType::real:
      return judge.real();
  }
  judge.refuse("has no type", "");
}

}  // namespace gen
