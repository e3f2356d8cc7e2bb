#include "gen/with_commas.h"

#include <algorithm>

namespace gen {

std::string with_commas(std::string digits) {
  for (std::size_t at = std::min(digits.find('.'), digits.size()); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace gen
