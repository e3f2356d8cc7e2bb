// What the models make of the configurations of a study: figures of short runs of all of them, on kernels
// that the repository has.
#pragma once
#include <set>
#include <string>

#include "gen/study/study_file.h"

namespace gen {

// A digest of those figures of explore's runs whose names are among `words`, and of the beginnings of the
// study's own built-in kernels. Throws ConfigError where no figure has such a name.
std::string behaviour_of(const Study& study, const std::set<std::string>& words);

// The names in a text: of figures, and other words.
std::set<std::string> words_in(const std::string& text);

}  // namespace gen
