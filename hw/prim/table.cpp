#include "hw/prim/table.h"

namespace hw {

rtl::Expr table(rtl::Module& m, const std::string& name, int rows, int width,
                const std::function<bool(int row, int column)>& bit, const std::string& doc) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(rows * width + 63) / 64);
  for (int i = 0; i < rows * width; ++i)
    if (bit(i / width, i % width)) words[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
  return m.let(name, rtl::wide_lit(rows * width, words), doc);
}

}  // namespace hw
