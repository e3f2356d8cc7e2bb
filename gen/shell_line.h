// Command lines as they can be pasted into a shell.
#pragma once
#include <string>

namespace gen {

// A word as it is, or in quotes where a shell would make something else of it.
std::string shell_word(const std::string& word);

// The call of a program with its arguments, its own name without folders.
std::string shell_line(int argc, const char* const* argv);

}  // namespace gen
