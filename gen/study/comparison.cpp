#include "gen/study/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/study/expression.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// How one figure may stand to the one that is expected. An order of several has a rule of its own.
struct Relation {
  std::string name;
  bool takes_tolerance;
  bool (*holds)(double value, double expected, double tolerance);
};
const std::array<Relation, 3> relations{{
    {"equal", false, [](double value, double expected, double) { return value == expected; }},
    {"within", true,
     [](double value, double expected, double tolerance) { return std::abs(value - expected) <= tolerance; }},
    {"direction", false, [](double value, double expected, double) { return value * expected > 0; }},
}};
constexpr const char* rank = "rank";

const Relation& relation_named(const std::string& name) {
  return *std::ranges::find(relations, name, &Relation::name);
}

double number_of(const Setting& s) {
  if (s.value.type == Written::Type::integer) return static_cast<double>(s.value.integer);
  if (s.value.type == Written::Type::real && std::isfinite(s.value.real)) return s.value.real;
  throw ConfigError(s.key_place, fmt::format("{} = {}: must be a number", s.key, s.value.source));
}

std::string string_of(const Setting& s) {
  if (s.value.type == Written::Type::text && !s.value.text.empty()) return s.value.text;
  throw ConfigError(s.key_place, fmt::format("{} = {}: must be a string", s.key, s.value.source));
}

std::string with_commas(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

}  // namespace

std::string shown(double number) {
  const double size = std::abs(number);
  const std::string sign = number < 0 ? "-" : "";
  if (size < 1e15 && size == std::floor(size)) return sign + with_commas(fmt::format("{:.0f}", size));
  if (size >= 1000) return sign + with_commas(fmt::format("{:.0f}", size));
  return sign + fmt::format("{:.4g}", size);
}

const std::vector<std::string>& Comparison::keys() {
  static const std::vector<std::string> names{"value", "expected", "relation", "tolerance", "unit"};
  return names;
}

void Comparison::read(const Setting& s, const std::string& key) {
  if (key == "value" || key.starts_with("value.")) {
    values_.push_back({key == "value" ? "" : key.substr(6), string_of(s), s.value.place});
    try {
      results_in(values_.back().text);
    } catch (const ExpressionError& error) {
      throw ConfigError(s.value.place, fmt::format("{}: {}", s.key, error.what()));
    }
  } else if (key == "expected" && s.value.type == Written::Type::list) {
    for (const Written& item : s.value.items) expected_order_.push_back(item.text);
  } else if (key == "expected" && s.value.type == Written::Type::text) {
    if (s.value.text != "more" && s.value.text != "less")
      throw ConfigError(s.value.place, fmt::format("{} = {}: must be a number, a list of names, \"more\" or "
                                                   "\"less\"",
                                                   s.key, s.value.source));
    side_ = s.value.text;
    expected_ = side_ == "more" ? 1 : -1;
  } else if (key == "expected") {
    expected_ = number_of(s);
  } else if (key == "tolerance") {
    tolerance_ = number_of(s);
    if (*tolerance_ < 0)
      throw ConfigError(s.value.place, fmt::format("{} = {}: must not be below 0", s.key, s.value.source));
  } else if (key == "unit") {
    unit_ = " " + string_of(s);
  } else {
    relation_ = string_of(s);
    std::vector<std::string> names{rank};
    for (const Relation& known : relations) names.push_back(known.name);
    if (std::ranges::find(names, relation_) == names.end()) {
      const std::string near = nearest_word(relation_, names);
      throw ConfigError(
          s.value.place,
          fmt::format("{} = \"{}\": no such relation{}; there are {}", s.key, shortened(relation_),
                      near.empty() ? "" : "; did you mean " + near + "?", joined(names, ", ")));
    }
  }
}

void Comparison::check() const {
  const auto refuse = [&](const std::string& what) { throw ConfigError(place_, what); };
  if (relation_.empty()) refuse("needs a relation");
  if (values_.empty()) refuse("needs a value");
  if (relation_ == rank) {
    std::vector<std::string> names, order = expected_order_;
    for (const Value& value : values_) names.push_back(value.name);
    std::ranges::sort(names);
    std::ranges::sort(order);
    if (names.size() < 2 || names != order)
      refuse("rank: needs value.NAME for two names at least, and expected = all of them in an order");
    return;
  }
  if (values_.size() != 1 || !values_[0].name.empty()) refuse(relation_ + ": needs one value");
  if (!expected_) refuse(relation_ + ": needs expected = a number");
  if (!side_.empty() && relation_ != "direction") refuse(relation_ + ": needs a number, not a side");
  if (relation_named(relation_).takes_tolerance != tolerance_.has_value())
    refuse(relation_ + (tolerance_ ? ": takes no tolerance" : ": needs a tolerance"));
}

void Comparison::check_size() const {
  if (relation_ != "within" && relation_ != "equal")
    throw ConfigError(place_, fmt::format("sized = true: {} tests no size; equal and within do", relation_));
  if (tolerance_ && *tolerance_ > std::abs(*expected_))
    throw ConfigError(place_, fmt::format("sized = true: a tolerance of {} lets the opposite of {} hold",
                                          shown(*tolerance_), shown(*expected_)));
}

std::vector<std::string> Comparison::results() const {
  std::vector<std::string> names;
  for (const Value& value : values_)
    for (const std::string& name : results_in(value.text))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

// From the largest figure to the smallest; where two are equal no order holds.
Comparison::Outcome Comparison::order(const std::vector<double>& figures) const {
  std::vector<std::size_t> places(figures.size());
  std::iota(places.begin(), places.end(), 0u);
  std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) { return figures[a] > figures[b]; });
  std::vector<std::string> names;
  std::string text;
  bool equal = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool same = i > 0 && figures[places[i]] == figures[places[i - 1]];
    equal |= same;
    names.push_back(values_[places[i]].name);
    text += fmt::format("{}{} {}{}",
                        i == 0 ? ""
                        : same ? " = "
                               : " > ",
                        names.back(), shown(figures[places[i]]), unit_);
  }
  return {!equal && names == expected_order_, expected_order_, names, joined(expected_order_, " > "), text};
}

Comparison::Outcome Comparison::over(const Json& results) const {
  std::vector<double> figures;
  for (const Value& value : values_) try {
      figures.push_back(evaluate(value.text, results));
    } catch (const ExpressionError& error) {
      throw ConfigError(value.place, error.what());
    }
  if (relation_ == rank) return order(figures);
  const double expected = *expected_;
  const bool holds = relation_named(relation_).holds(figures[0], expected, tolerance_.value_or(0));
  if (!side_.empty()) return {holds, side_, figures[0], side_, shown(figures[0]) + unit_};
  const std::string near = tolerance_ ? " ± " + shown(*tolerance_) : "";
  std::string claimed = shown(expected) + near + unit_;
  if (relation_ == "direction") claimed = fmt::format("{} ({})", expected > 0 ? "more" : "less", claimed);
  return {holds, expected, figures[0], claimed, shown(figures[0]) + unit_};
}

}  // namespace gen
