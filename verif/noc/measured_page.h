// Pages of the documentation whose tables and pictures a test measures: they are as they were measured, or
// the fresh ones are written into the build folder.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "gen/files.h"
#include "gen/study/page.h"
#include "verif/tree.h"

namespace verif {

inline void expect_documented(const std::string& name, const std::string& measured) {
  const auto kept = gen::paths::source() / "docs" / "results" / name;
  if (std::filesystem::exists(kept) && measured == gen::read_file(kept)) return;
  const auto fresh = gen::paths::build() / name;
  gen::write_file_atomically(fresh, measured);
  ADD_FAILURE() << kept << " differs from what was measured: " << fresh;
}

// The page's tables between <!-- table TEST/NAME --> and <!-- /table -->.
inline void expect_documented(const std::string& page, const std::string& test,
                              const gen::TableTexts& tables) {
  const auto kept = gen::paths::source() / "docs" / "results" / page;
  expect_documented(page, gen::page_with_tables(gen::read_file(kept), page, test, tables));
}

}  // namespace verif
