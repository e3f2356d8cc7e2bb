// What is expected of figures, and whether it holds: a value equal to one that is claimed, near it, on its
// side of zero, or several in an order.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gen/config/error.h"
#include "gen/config/value.h"

namespace gen {

// A number as tables show it: 4,736 or 0.5781.
std::string shown(double number);

class Comparison {
 public:
  explicit Comparison(std::string place) : place_(std::move(place)) {}

  static const std::vector<std::string>& keys();
  // One of keys(), or "value.NAME" for one of several. Throws ConfigError.
  void read(const Setting& s, const std::string& key);
  // Once all is read. Throws ConfigError.
  void check() const;
  // Of one with a size: it tests the size, and takes nothing of the other sign. Throws ConfigError.
  void check_size() const;

  struct Outcome {
    bool holds = false;
    nlohmann::ordered_json expected, value;  // a number, or names in their order
    std::string expected_text, value_text;
  };
  // Throws ConfigError at the value that cannot be worked out.
  Outcome over(const nlohmann::ordered_json& results) const;

  const std::string& relation() const { return relation_; }
  std::vector<std::string> results() const;  // that its values name

 private:
  struct Value {
    std::string name, text, place;
  };
  Outcome order(const std::vector<double>& figures) const;

  std::string place_, relation_, unit_;
  std::string side_;  // of zero, where a claim has no size: "more" or "less"
  std::vector<Value> values_;
  std::optional<double> expected_, tolerance_;
  std::vector<std::string> expected_order_;
};

}  // namespace gen
