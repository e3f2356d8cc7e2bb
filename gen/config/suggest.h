// "Did you mean": the known word nearest to what a user wrote.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace gen {

int edit_distance(std::string_view a, std::string_view b);

// The known word that `word` is probably a slip of, or that ends in it; empty when nothing is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// The same for dotted keys: a key in the wrong table is a slip too, a key of a foreign table is not.
std::string nearest_key(std::string_view key, const std::vector<std::string>& known);

}  // namespace gen
