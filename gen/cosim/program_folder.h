// Where programs of co-simulations, and the headers that they have in common, are kept.
#pragma once
#include <filesystem>
#include <string>

namespace gen {

// NAME in the build folder; in a clone that may only be read one in the user's cache folder, and where there
// is none either one that goes with this process.
std::filesystem::path program_folder(const std::string& name);

// NAME/MADE as the build folder has it, else as program_folder does: where it is, or is to be made.
std::filesystem::path program_place(const std::string& name, const std::string& made);

}  // namespace gen
