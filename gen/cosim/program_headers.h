// The headers of co-simulation programs, read once: small programs spend most of their compilation on them.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "gen/digest.h"

namespace gen {

// What a program's source begins with. It is found without what is read here, too, in twice the time.
inline constexpr const char* program_headers = "cosim/program_headers.h";

// Contents of all headers that a program may include, of this repository, and the state of others.
void add_headers(Digest& digest);

// The folder to look for them in first. `compile` makes a file from a source, in a folder that is there; it
// runs where nobody has for these headers and this level of optimization.
std::filesystem::path headers_folder(
    const std::string& level,
    const std::function<void(const std::filesystem::path& folder, const std::string& source,
                             const std::string& made)>& compile);

}  // namespace gen
