// The example for cocotb in the integrator's page, on a cache as `gen` writes it: it passes, and it finds a
// fault.
#include <gmock/gmock.h>

#include <cstdlib>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

const char* cocotb() { return std::getenv("COCOTB_DIR"); }

// Debian's Python, whose library the simulator loads.
gen::Finished example(const gen::TempDir& folder) {
  return gen::run({.argv = {"/usr/bin/python3", verif::in_source("verif/cocotb/l1d_example.py"),
                            (folder / "cache").string()},
                   .environment = {{"PYTHONPATH", cocotb()}, {"PYTHONDONTWRITEBYTECODE", "1"}}});
}

void generate(const gen::TempDir& folder) {
  const gen::Finished done = verif::l1forge(
      {"gen", "l1d_sectored", "-s", "geometry.capacity_bytes=2048", "-o", (folder / "cache").string()});
  ASSERT_TRUE(done.ok()) << done.output;
}

}  // namespace

TEST(Cocotb, TheExampleDrivesACache) {
  if (!cocotb()) GTEST_SKIP() << "COCOTB_DIR names no cocotb; ./forge test fetches it";
  const gen::TempDir folder("cocotb");
  generate(folder);
  const gen::Finished done = example(folder);
  EXPECT_TRUE(done.ok()) << done.output;
  EXPECT_THAT(done.output, HasSubstr("loads_see_stores passed"));
}

TEST(Cocotb, TheExampleFindsAFault) {
  if (!cocotb()) GTEST_SKIP() << "COCOTB_DIR names no cocotb; ./forge test fetches it";
  const gen::TempDir folder("cocotb");
  generate(folder);
  // The lowest bit of every chunk that is kept comes back as 0.
  bool planted = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cache")) {
    if (!entry.path().filename().string().starts_with("sram_1rw")) continue;
    std::string text = gen::read_file(entry.path());
    const std::string write = "<= write_data;";
    const std::size_t at = text.find(write);
    ASSERT_NE(at, std::string::npos) << text;
    gen::write_file_atomically(entry.path(), text.replace(at, write.size(), "<= write_data & ~1;"));
    planted = true;
  }
  ASSERT_TRUE(planted);
  const gen::Finished done = example(folder);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("loads_see_stores failed"));
}
