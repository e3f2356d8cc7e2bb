// Pages that l1forge wrote and may replace: a comment at their end has the digest of all before it, so that a
// file of somebody else's, or an edited one, is known.
#pragma once
#include <filesystem>
#include <string>

namespace gen {

// The text with its mark, in a comment of the language that the file's extension names: .js, .def, or else
// HTML and SVG.
std::string marked(const std::string& text, const std::filesystem::path& file);

enum class Owner { nobody, l1forge, edited, other };  // nobody: there is no such file

Owner owner_of(const std::filesystem::path& file);

// Throws FileError where the file is there and is none that l1forge wrote, or was edited since.
void check_own_file(const std::filesystem::path& file);

}  // namespace gen
