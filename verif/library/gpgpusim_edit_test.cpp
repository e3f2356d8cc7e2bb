// The script that puts the adapter into a checkout of GPGPU-Sim, on a small tree with the lines that it looks
// for: made once, undone byte by byte, refused whole where something does not fit.
#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <map>

#include "gen/process.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr, testing::IsEmpty, testing::StartsWith;
using Tree = std::map<std::string, std::string>;

const Tree simulator = {
    {"src/abstract_hardware_model.h",
     "struct mem_fetch_allocator {\n"
     "  mem_fetch *alloc(const mem_access_sector_mask_t &sector_mask,\n      unsigned size, bool wr);\n};\n"},
    {"src/gpgpu-sim/mem_fetch.h", "struct mem_fetch { mem_fetch *get_original_mf(); };\n"},
    {"src/gpgpu-sim/gpu-cache.h",
     "class mshr_table {\n  bool access_ready() const { return true; }\n  mem_fetch *next_access();\n};\n"
     "class baseline_cache : public cache_t {\n public:\n  /// Sends\n  void cycle();\n"
     "  void fill(mem_fetch *mf, unsigned time);\n  bool waiting_for_fill(mem_fetch *mf);\n"
     "  bool access_ready() const { return ready; }\n  mem_fetch *next_access() { return next; }\n"
     "  void flush() { all(); }\n  void invalidate() { all(); }\n"
     "  void print(FILE *fp, unsigned &accesses, unsigned &misses) const;\n"
     "  void display_state(FILE *fp) const;\n  gpgpu_sim *m_gpu;\n};\n\n"
     "class read_only_cache : public baseline_cache {};\n"},
    {"src/gpgpu-sim/shader.cc",
     "#include \"shader.h\"\n#include \"shader_trace.h\"\n\nvoid core::step() {}\n"
     "ldst_unit::ldst_unit(int a) {\n  m_L1T = new tex_cache(a);\n  m_L1D = new l1_cache( name, a);\n}\n\n"
     "void ldst_unit::issue(register_set &r) {\n  if (load) {\n"
     "    unsigned n_accesses = inst->accessq_count();\n    use(n_accesses);\n  }\n}\n\n"
     "void ldst_unit::writeback() {\n      case 3:\n          mem_fetch *mf = m_L1C->next_access();\n"
     "          m_next_wb = mf->get_inst();\n      case 4:\n          mem_fetch *mf = m_L1D->next_access();\n"
     "          m_next_wb = mf->get_inst();\n          delete mf;\n}\n"
     "void shader_core_ctx::issue_block2core(kernel_info_t &kernel) {\n  kernel.inc_running();\n  run();\n}\n"
     "void shader_core_ctx::issue_warp(int warp) {\n  func_exec_inst(**pipe_reg);\n}\n"
     "void scheduler_unit::cycle() {\n  for (;;) {\n    if ((*iter) == NULL || (*iter)->done_exit()) {\n"
     "      continue;\n    }\n  }\n}\n"
     "/* void ldst_unit::issue(register_set &r) {\n    unsigned n_accesses = "
     "inst->accessq_count();\n}\n*/\n"},
    {"src/gpgpu-sim/shader.h", "class scheduler_unit {\n  std::vector<shd_warp_t *> *m_warp;\n};\n"},
    {"src/gpgpu-sim/l2cache.cc",
     "#include \"l2cache.h\"\n\nvoid memory_sub_partition::cache_cycle(unsigned cycle) {\n  fill();\n}\n"}};

class Edits : public testing::Test {
 protected:
  void build(Tree tree, const std::string& below = "") {
    for (const auto& [name, text] : tree) {
      const std::string path = below + name;
      fs::create_directories(fs::path(folder_.path(path)).parent_path());
      folder_.write(path, text);
    }
  }
  Tree there() const {
    Tree tree;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path("")))
      if (entry.is_regular_file())
        tree[fs::relative(entry.path(), folder_.path("")).generic_string()] = gen::read_file(entry.path());
    return tree;
  }
  gen::Finished edit(const std::string& option = "") {
    std::vector<std::string> argv = {"python3", verif::in_source("clients/gpgpusim/edit.py"),
                                     folder_.path("")};
    if (!option.empty()) argv.push_back(option);
    return gen::run({.argv = argv});
  }
  void expect_refused(Tree tree, const std::string& reason) {
    build(tree);
    const Tree before = there();
    const gen::Finished refused = edit();
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.output, HasSubstr(reason));
    EXPECT_EQ(there(), before);
  }

  verif::TempFolder folder_;
};

TEST_F(Edits, AreMadeOnceAndUndone) {
  build(simulator);
  const gen::Finished checked = edit("--check");
  EXPECT_EQ(checked.status, 0) << checked.output;
  EXPECT_THAT(checked.output, HasSubstr("would change: src/gpgpu-sim/shader.cc"));
  EXPECT_EQ(there(), simulator);

  const gen::Finished done = edit();
  ASSERT_TRUE(done.ok()) << done.output;
  const Tree edited = there();
  const std::string& header = edited.at("src/gpgpu-sim/gpu-cache.h");
  EXPECT_THAT(header, HasSubstr("/// Sends\n  virtual void cycle();"));
  EXPECT_THAT(header, HasSubstr("  virtual mem_fetch *next_access() { return next; }"));
  EXPECT_THAT(header, StartsWith("class mshr_table {\n  bool access_ready() const"));
  const std::string& shader = edited.at("src/gpgpu-sim/shader.cc");
  EXPECT_THAT(shader, StartsWith("#include \"shader.h\"\n#include \"l1forge_cache.h\"\n"));
  EXPECT_THAT(shader, HasSubstr("m_L1D = l1forge_sim::new_l1d( name, a);"));
  EXPECT_THAT(shader, HasSubstr("inst->accessq_count();\n    l1forge_sim::load_issued(m_L1D, *inst);\n"));
  EXPECT_THAT(shader, HasSubstr("m_next_wb = mf->get_inst();\n          l1forge_sim::sectors_returned("));
  EXPECT_THAT(shader,
              HasSubstr("->done_exit() ||\n        !l1forge_sim::may_issue(m_shader->get_sid(), *iter, "
                        "m_supervised_warps, *m_warp)) {\n      continue;"));
  EXPECT_THAT(shader, HasSubstr("kernel.inc_running();\n  l1forge_sim::cta_enters("));
  EXPECT_THAT(shader, HasSubstr("func_exec_inst(**pipe_reg);\n  l1forge_sim::warp_issued("));
  EXPECT_THAT(edited.at("src/gpgpu-sim/l2cache.cc"),
              HasSubstr("cache_cycle(unsigned cycle) {\n  l1forge_sim::buffer_holds(m_id, "));
  EXPECT_EQ(edited.at("src/gpgpu-sim/l1forge/client.h"),
            gen::read_file(verif::in_source("clients/l1forge/client.h")));
  for (const auto& entry : fs::directory_iterator(verif::in_source("clients/gpgpusim")))
    EXPECT_EQ(edited.contains("src/gpgpu-sim/" + entry.path().filename().string()),
              entry.path().filename() != "edit.py");

  EXPECT_EQ(edit().output, "nothing to do: all edits are there\n");
  EXPECT_EQ(there(), edited);
  EXPECT_TRUE(edit("--undo").ok());
  EXPECT_EQ(there(), simulator);
  EXPECT_EQ(edit("--undo").output, "nothing to do: no edit is there\n");
}

TEST_F(Edits, KeepLineEndsAndWhatTheUserHasChangedSince) {
  Tree windows = simulator;
  std::string& shader = windows["src/gpgpu-sim/shader.cc"];
  for (size_t at = 0; (at = shader.find('\n', at)) != std::string::npos; at += 2)
    shader.replace(at, 1, "\r\n");
  build(windows);
  ASSERT_TRUE(edit().ok());
  Tree mine = windows;
  for (const char* name : {"src/gpgpu-sim/shader.cc", "src/gpgpu-sim/gpu-cache.h"}) {
    folder_.write(name, there().at(name) + "// mine\n");
    mine[name] += "// mine\n";
  }
  EXPECT_THAT(there().at("src/gpgpu-sim/shader.cc"),
              HasSubstr("\"shader.h\"\r\n#include \"l1forge_cache.h\"\r\n"));
  ASSERT_TRUE(edit("--undo").ok());
  EXPECT_EQ(there(), mine);
}

TEST_F(Edits, AreCompletedWhereAFileWasRestored) {
  build(simulator);
  ASSERT_TRUE(edit().ok());
  const Tree edited = there();
  folder_.write("src/gpgpu-sim/shader.cc", simulator.at("src/gpgpu-sim/shader.cc"));
  ASSERT_TRUE(edit().ok());
  EXPECT_EQ(there(), edited);
}

TEST_F(Edits, FindTheSimulatorInsideAccelSim) {
  build(simulator, "gpu-simulator/gpgpu-sim/");
  ASSERT_TRUE(edit().ok());
  EXPECT_TRUE(there().contains("gpu-simulator/gpgpu-sim/src/gpgpu-sim/l1forge_cache.cc"));
}

TEST_F(Edits, AreRefusedWholeWhereOneDoesNotFit) {
  for (const auto& [file, line, reason] : std::vector<std::array<std::string, 3>>{
           {"gpu-cache.h", "  void flush() { all(); }\n", "gpu-cache.h: `void flush\\(\\)` fits 0 times"},
           {"gpu-cache.h", "\nclass read_only_cache", "gpu-cache.h: no part from `^class baseline_cache"},
           {"shader.cc", "m_L1D = new l1_cache( name, a);", "an SM gets its cache"},
           {"shader.cc", "m_L1D->next_access();", "a load is written back"},
           {"../abstract_hardware_model.h", "const mem_access_sector_mask_t &sector_mask,",
            "mem_fetch_allocator has no alloc() with sectors"}}) {
    SCOPED_TRACE(reason);
    Tree other = simulator;
    const std::string path = fs::path("src/gpgpu-sim/" + file).lexically_normal();
    std::string& text = other[path];
    ASSERT_NE(text.find(line), std::string::npos);
    text.replace(text.find(line), line.size(), "");
    expect_refused(other, reason);
  }
  Tree twice = simulator;
  twice["src/gpgpu-sim/gpu-cache.h"].replace(twice["src/gpgpu-sim/gpu-cache.h"].find("  void flush()"), 0,
                                             "  void flush();\n");
  expect_refused(twice, "fits 2 times");
  EXPECT_EQ(edit("--check").status, 1);
}

TEST_F(Edits, NeverTouchFilesOfTheUser) {
  Tree with = simulator;
  with["src/gpgpu-sim/l1forge_cache.cc"] = "mine\n";
  expect_refused(with, "l1forge_cache.cc: is not the file that this script has copied; move it away first");
  fs::remove(folder_.path("src/gpgpu-sim/l1forge_cache.cc"));
  ASSERT_TRUE(edit().ok());
  folder_.write("src/gpgpu-sim/l1forge_cache.cc", "changed\n");
  const Tree before = there();
  EXPECT_EQ(edit("--undo").status, 2);
  EXPECT_EQ(edit().status, 2);
  EXPECT_EQ(there(), before);
}

TEST_F(Edits, RefuseOtherFolders) {
  EXPECT_THAT(edit().output, HasSubstr("is no checkout of GPGPU-Sim or Accel-Sim"));
  EXPECT_THAT(there(), IsEmpty());
}

}  // namespace
