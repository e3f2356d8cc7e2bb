// Parameter checks at elaboration: the message names the key, its value, the rule it breaks and the remedy.
#pragma once
#include <fmt/format.h>

#include <bit>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "hw/range.h"
#include "hw/rtl/error.h"

namespace hw {

// A parameter value that no hardware can be built from. The command line prints it with the position in the
// user's TOML file; what() carries the C++ line, for direct users of the library.
class ParamError : public std::runtime_error {
 public:
  ParamError(std::string key, std::string value, std::string rule, std::string remedy, const rtl::Loc& loc)
      : std::runtime_error(fmt::format("{}:{}: [param] {} = {}: {}; {}", rtl::short_path(loc), loc.line(),
                                       key, value, rule, remedy)),
        key(std::move(key)),
        value(std::move(value)),
        rule(std::move(rule)),
        remedy(std::move(remedy)) {}

  std::string key, value, rule, remedy;
};

template <class Value>
void require(bool ok, std::string_view key, const Value& value, std::string rule, std::string remedy,
             const rtl::Loc& loc = rtl::Loc::current()) {
  if (!ok)
    throw ParamError(std::string(key), fmt::format("{}", value), std::move(rule), std::move(remedy), loc);
}

// The value of a number with a range of its own.
template <class Value>
void require_in(const Range& range, std::string_view key, const Value& value, std::string remedy,
                const rtl::Loc& loc = rtl::Loc::current()) {
  bool holds = true;
  if constexpr (std::is_floating_point_v<Value>)
    holds = value >= static_cast<double>(range.least) && value <= static_cast<double>(range.most);
  else
    holds = range.holds(value);
  require(holds, key, value,
          fmt::format("must be {}from {} to {}", range.power_of_two ? "a power of two " : "", range.least,
                      range.most),
          std::move(remedy), loc);
}

constexpr bool power_of_two(int n) { return n > 0 && std::has_single_bit(static_cast<unsigned>(n)); }

}  // namespace hw
