#include "gen/paths.h"

namespace gen::paths {

std::filesystem::path source() { return L1FORGE_SOURCE_DIR; }
std::filesystem::path build() { return L1FORGE_BUILD_DIR; }
std::filesystem::path ac_types() { return AC_TYPES_DIR; }
std::filesystem::path verilator_include() { return L1FORGE_VERILATOR_INCLUDE; }
std::filesystem::path cosim_runtime() { return L1FORGE_COSIM_RUNTIME; }
std::filesystem::path cosim() { return L1FORGE_COSIM; }
std::filesystem::path golden_gpu() { return L1FORGE_GOLDEN_GPU; }
std::filesystem::path golden_l1d() { return L1FORGE_GOLDEN_L1D; }
std::string sanitizers() { return L1FORGE_SANITIZE; }

}  // namespace gen::paths
