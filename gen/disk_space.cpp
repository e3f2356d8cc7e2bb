#include "gen/disk_space.h"

#include <fmt/format.h>

namespace gen {

std::string no_space_left(const std::vector<std::filesystem::path>& folders) {
  constexpr std::uintmax_t enough = 1 << 20;  // a tool that failed has removed what it could not finish
  for (const auto& folder : folders) {
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    if (!error && space.available < enough) return fmt::format("; no space is left in {}", folder.string());
  }
  return "";
}

}  // namespace gen
