#include "golden/trace/open/trace_name.h"

#include <array>
#include <filesystem>

#include "golden/trace/kernels/builtin_kernels.h"

namespace golden {
namespace fs = std::filesystem;

TraceName trace_name(const std::string& name) {
  static constexpr std::array<Size, 2> keys{{{"accesses", 0, 1, 1'000'000'000'000, "the first of each warp"},
                                             {"ctas", 0, 1, 4'294'967'295, "the first of each launch"}}};
  const std::size_t mark = name.rfind('?');
  std::error_code code;
  if (mark == std::string::npos || mark + 1 == name.size() || name.starts_with(builtin_prefix) ||
      fs::exists(name, code) || !fs::exists(name.substr(0, mark), code))
    return {name};
  const Sizes cut(name, keys, std::string_view(name).substr(mark + 1));
  return {name.substr(0, mark), {cut.u32("ctas"), cut["accesses"]}};
}

}  // namespace golden
