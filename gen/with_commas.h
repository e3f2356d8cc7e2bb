// Numbers for people.
#pragma once
#include <string>

namespace gen {

// The digits of a number without a sign, in groups of three: 1,234,567.8.
std::string with_commas(std::string digits);

}  // namespace gen
