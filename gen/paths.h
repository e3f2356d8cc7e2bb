// Where this build's sources, libraries and headers are: no other file knows absolute paths.
#pragma once
#include <filesystem>
#include <string>

namespace gen::paths {

std::filesystem::path source();             // the repository
std::filesystem::path build();              // the build folder
std::filesystem::path ac_types();           // folder of ac_int.h
std::filesystem::path verilator_include();  // folder of verilated.h
std::filesystem::path cosim_runtime();      // libraries that a co-simulation program is linked to
std::filesystem::path cosim();
std::filesystem::path golden_gpu();
std::filesystem::path golden_l1d();
std::string sanitizers();  // of this build, as in -fsanitize=; empty in most

}  // namespace gen::paths
