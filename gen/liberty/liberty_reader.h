// Splits Liberty text into its statements, one level at a time: as much of the format as the area flow needs.
#pragma once
#include <string_view>
#include <vector>

namespace gen {

// `key : value ;`, `key (value) ;` or `key (value) { body }`. The views point into the text that was read.
struct LibertyItem {
  std::string_view key, value, body;
  bool is_group = false, has_colon = false;
};

std::vector<LibertyItem> liberty_items(std::string_view text);

// The numbers of a `values ("1, 2", "3, 4")`.
std::vector<double> liberty_numbers(std::string_view text);

}  // namespace gen
