// The example for cocotb in the integrator's page, on a cache as `gen` writes it, and the AXI4 adapter
// between the bus models of cocotbext-axi: they pass, and they find faults.
#include <gmock/gmock.h>

#include <cstdlib>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

const char* cocotb() { return std::getenv("COCOTB_DIR"); }

// Debian's Python, whose library the simulator loads.
gen::Finished python(const std::string& file, const std::filesystem::path& folder) {
  return gen::run({.argv = {"/usr/bin/python3", verif::in_source("verif/cocotb/" + file), folder.string()},
                   .environment = {{"PYTHONPATH", cocotb()}, {"PYTHONDONTWRITEBYTECODE", "1"}}});
}
gen::Finished example(const gen::TempDir& folder) { return python("l1d_example.py", folder / "cache"); }

void generate(const gen::TempDir& folder) {
  const gen::Finished done = verif::l1forge(
      {"gen", "l1d_sectored", "-s", "geometry.capacity_bytes=2048", "-o", (folder / "cache").string()});
  ASSERT_TRUE(done.ok()) << done.output;
}

// An adapter, and a cache with an AXI4 memory side, each in a folder.
void generate_axi4(const gen::TempDir& folder) {
  gen::Finished done = verif::l1forge({"gen", "axi4_adapter", "-o", (folder / "adapter").string()});
  ASSERT_TRUE(done.ok()) << done.output;
  done = verif::l1forge({"gen", "l1d_sectored", "-s", "geometry.capacity_bytes=4096", "-s",
                         "memory.protocol=axi4", "-o", (folder / "cache").string()});
  ASSERT_TRUE(done.ok()) << done.output;
}
bool has_axi4_models() {
  return cocotb() && std::filesystem::exists(std::filesystem::path(cocotb()) / "cocotbext");
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
  bool injected = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "cache")) {
    if (!entry.path().filename().string().starts_with("sram_1rw")) continue;
    std::string text = gen::read_file(entry.path());
    const std::string write = "<= write_data;";
    const std::size_t at = text.find(write);
    ASSERT_NE(at, std::string::npos) << text;
    gen::write_file_atomically(entry.path(), text.replace(at, write.size(), "<= write_data & ~1;"));
    injected = true;
  }
  ASSERT_TRUE(injected);
  const gen::Finished done = example(folder);
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("loads_see_stores failed"));
}

TEST(Cocotb, BusModelsDriveTheAxi4Adapter) {
  if (!has_axi4_models()) GTEST_SKIP() << "COCOTB_DIR has no cocotbext; ./forge test fetches it";
  const gen::TempDir folder("cocotb");
  generate_axi4(folder);
  const gen::Finished done = python("axi4_core.py", folder.path());
  EXPECT_TRUE(done.ok()) << done.output;
  for (const char* test : {"one_at_a_time", "many_at_a_time", "past_the_cache"})
    EXPECT_THAT(done.output, HasSubstr(std::string(test) + " passed"));
}

// Each in the text of the adapter: the expression before and after.
TEST(Cocotb, BusModelsFindFaultsOfTheAxi4Adapter) {
  if (!has_axi4_models()) GTEST_SKIP() << "COCOTB_DIR has no cocotbext; ./forge test fetches it";
  const gen::TempDir folder("cocotb");
  generate_axi4(folder);
  const std::tuple<const char*, const char*, const char*> faults[] = {
      {"axi4_adapter.v", "(core_response_id[4:0] == read_oldest)", "1'd1"},
      {"axi4_adapter.v", "{s_axi_wdata}", "{~s_axi_wdata}"},
      {"axi4_adapter.v", "r_last_q <= read_oldest_word[4];", "r_last_q <= 1'd1;"}};
  for (const auto& [file, before, after] : faults) {
    const std::filesystem::path path = folder / "adapter" / file;
    const std::string sound = gen::read_file(path);
    std::string text = sound;
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    gen::write_file_atomically(path, text.replace(at, std::string(before).size(), after));
    const gen::Finished done = python("axi4_core.py", folder.path());
    EXPECT_EQ(done.status, 1) << before << "\n" << done.output;
    gen::write_file_atomically(path, sound);
  }
}
