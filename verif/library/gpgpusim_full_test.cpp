// What an SM of a simulator has sent is repeated on the Verilog, and every loaded byte is the recorded one.
#include <gmock/gmock.h>

#include "clients/l1forge/client.h"
#include "verif/library/gpgpusim/program.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

TEST(GpgpusimRecordings, RunOnTheVerilog) {
  const verif::TempFolder folder;
  const std::string file = folder.path("sm0.txt");
  auto instructions = verif::program(1500, 8);
  std::erase_if(instructions, [](const verif::StandInInstruction& inst) {
    return inst.kind == verif::StandInInstruction::Kind::atomic;
  });
  verif::StandIn unit("l1d_sectored", "geometry.capacity_bytes=4096",
                      {.jitter = 30, .full_percent = 20, .record = file});
  ASSERT_EQ(unit.run(instructions), "");
  unit.close();
  for (const char* cache : {"l1d_sectored", "l1d"}) {
    const gen::Finished done = verif::l1forge({"cosim", cache, "-s", "geometry.address_bits=48", "-s",
                                               "geometry.capacity_bytes=4096", "--replay", file});
    EXPECT_TRUE(done.ok()) << done.output;
    EXPECT_THAT(done.output, testing::HasSubstr("sm0.txt"));
  }
}

// The adapter linked as in the simulator, with no library of L1Forge, and one of a few lines at run time.
class LoadedLibrary : public testing::Test {
 protected:
  static std::string run(const std::vector<std::string>& argv,
                         const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words = {"env"};
    words.insert(words.end(), environment.begin(), environment.end());
    words.insert(words.end(), argv.begin(), argv.end());
    return gen::run({.argv = words}).output;
  }
  std::string library(const std::string& name, const std::string& flags) {
    folder_.write("library.c", R"(
uint32_t l1forge_abi(void) { return ABI; }
const char* l1forge_message(void) { return "a message"; }
#ifdef WHOLE
l1forge_status l1forge_cache_create(const char* unit, const char* const* settings, size_t count,
                                    unsigned options, l1forge_cache** cache) {
  *cache = (l1forge_cache*)settings;
  printf("%s %s %s %u\n", unit, settings[0], settings[count - 1], options);
  return L1FORGE_OK;
}
void l1forge_cache_destroy(l1forge_cache* cache) { puts(cache ? "destroyed" : "null"); }
l1forge_status l1forge_cache_shape(const l1forge_cache* cache, l1forge_shape* shape) {
  shape->warps = cache ? 7 : 0;
  return L1FORGE_OK;
}
l1forge_status l1forge_cache_edge(l1forge_cache* cache) { return cache ? L1FORGE_BAD_CALL : L1FORGE_OK; }
#endif
)");
    const std::string built = folder_.path(name);
    EXPECT_EQ(
        run({"sh", "-c",
             fmt::format(
                 "cc -shared -fPIC -include stdio.h -include '{}/clients/l1forge/client.h' {} '{}' -o '{}'",
                 verif::in_source(), flags, folder_.path("library.c"), built)}),
        "");
    return "L1FORGE_LIBRARY=" + built;
  }

  const verif::TempFolder folder_;
};

TEST_F(LoadedLibrary, HasAllFunctionsOfTheAdapter) {
  folder_.write("main.cc", R"(
long mem_fetch::alive = 0;
int main() {
  l1forge_sim::Model model("unit", "a=1 b=2 c=3");
  printf("%u\n", model.shape().warps);
  fflush(stdout);
  model.edge();
}
)");
  const std::string program = folder_.path("program");
  ASSERT_EQ(run({"sh", "-c",
                 fmt::format("cd '{}' && c++ -std=c++11 -include l1forge_cache.h -I verif/library/gpgpusim "
                             "-I clients/gpgpusim -I clients -I . "
                             "'{}' clients/gpgpusim/*.cc -ldl -o '{}'",
                             verif::in_source(), folder_.path("main.cc"), program)}),
            "");
  const std::string whole = library("whole.so", fmt::format("-DWHOLE -DABI={}", L1FORGE_ABI));
  EXPECT_EQ(run({program}, {whole}), "unit a=1 c=3 0\n7\nl1forge: a message\n");
  EXPECT_EQ(
      run({program}, {library("old.so", "-DWHOLE -DABI=1")}),
      "l1forge: the library and the adapter have different versions of the C interface; install both from "
      "one tree\n");
  EXPECT_EQ(run({program}, {library("part.so", fmt::format("-DABI={}", L1FORGE_ABI))}),
            "l1forge: l1forge_cache_create is missing in the library: another version of L1Forge\n");
  EXPECT_THAT(run({program}, {"L1FORGE_LIBRARY=/nowhere.so"}),
              testing::HasSubstr("; set L1FORGE_LIBRARY to the path of libl1forge_client.so\n"));
}

}  // namespace
