// Includes within a tree go one way: no cycle of files, and none of folders. A file at a tree's root counts
// as a folder of its own, together with its header.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "gen/paths.h"
#include "verif/repo/source_tree.h"

namespace {

using verif::SourceFile;
using Names = std::set<std::string>;
using Graph = std::map<std::string, Names>;

std::string file_itself(const std::string& path) { return path; }

std::string folder_of(const std::string& path) {
  const std::filesystem::path p(path);
  const bool at_root = p.parent_path().parent_path().empty();
  return (at_root ? std::filesystem::path(p).replace_extension() : p.parent_path()).generic_string();
}

// What includes what in one tree, by what stands for a file.
Graph includes_of(const std::vector<SourceFile>& files, const std::string& tree,
                  std::string (*stands_for)(const std::string&)) {
  const std::string begins = "#include \"" + tree + "/";
  Graph graph;
  for (const SourceFile& file : files) {
    if (!file.is_cpp() || !file.in(tree + "/")) continue;
    const std::string from = stands_for(file.path);
    for (const std::string& line : verif::lines(file.text)) {
      if (!line.starts_with(begins)) continue;
      const std::size_t name = begins.find(tree);
      const std::string to = stands_for(line.substr(name, line.find('"', name) - name));
      if (to != from) graph[from].insert(to);
    }
  }
  return graph;
}

void reach(const Graph& graph, const std::string& from, Names& reached) {
  const auto next = graph.find(from);
  if (next == graph.end()) return;
  for (const std::string& to : next->second)
    if (reached.insert(to).second) reach(graph, to, reached);
}

// Each as the names in it.
std::set<Names> cycles_of(const Graph& graph) {
  std::map<std::string, Names> reached;
  for (const auto& [from, to] : graph) reach(graph, from, reached[from]);
  std::set<Names> cycles;
  for (const auto& [from, all] : reached) {
    if (!all.contains(from)) continue;
    Names cycle;
    for (const std::string& to : all)
      if (const auto back = reached.find(to); back != reached.end() && back->second.contains(from))
        cycle.insert(to);
    cycles.insert(cycle);
  }
  return cycles;
}

const std::vector<SourceFile>& sources() {
  static const auto files = verif::source_tree(gen::paths::source());
  return files;
}

constexpr const char* trees[] = {"hw", "golden", "gen", "cosim", "verif"};

TEST(IncludeCycles, NoneOfFiles) {
  for (const char* tree : trees)
    for (const Names& cycle : cycles_of(includes_of(sources(), tree, file_itself)))
      ADD_FAILURE() << fmt::format("{}", fmt::join(cycle, ", "));
}

TEST(IncludeCycles, NoneOfFolders) {
  for (const char* tree : trees)
    for (const Names& cycle : cycles_of(includes_of(sources(), tree, folder_of)))
      ADD_FAILURE() << fmt::format("{}", fmt::join(cycle, ", "));
}

// An include against the direction of another one, in every tree.
TEST(IncludeCycles, CatchAnInjectedOne) {
  for (const char* tree : trees) {
    std::vector<SourceFile> files = sources();
    const std::string a = fmt::format("{}/injected_a/a", tree), b = fmt::format("{}/injected_b/b", tree);
    files.push_back({a + ".h", fmt::format("#pragma once\n#include \"{}.h\"\n", b)});
    files.push_back({b + ".h", "#pragma once\n"});
    const auto before = cycles_of(includes_of(files, tree, folder_of));
    EXPECT_THAT(cycles_of(includes_of(files, tree, file_itself)), testing::IsEmpty()) << tree;
    files.push_back({b + ".cpp", fmt::format("#include \"{0}.h\"\n#include \"{1}.h\"\n", b, a)});
    auto folders = before;
    folders.insert({folder_of(a), folder_of(b)});
    EXPECT_EQ(cycles_of(includes_of(files, tree, folder_of)), folders) << tree;
    EXPECT_THAT(cycles_of(includes_of(files, tree, file_itself)), testing::IsEmpty()) << tree;
    files[files.size() - 2].text += fmt::format("#include \"{}.h\"\n", a);
    EXPECT_THAT(cycles_of(includes_of(files, tree, file_itself)),
                testing::ElementsAre(Names{a + ".h", b + ".h"}))
        << tree;
  }
}

}  // namespace
