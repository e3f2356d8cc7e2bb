// The repository's own text files, as they lie in the source tree, for tests of its conventions.
#pragma once
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace verif {

struct SourceFile {
  std::string path;  // relative to the root, "hw/index/index_pli.cpp"
  std::string text = {};

  std::string extension() const { return std::filesystem::path(path).extension(); }
  bool is_cpp() const { return extension() == ".cpp" || extension() == ".h"; }
  bool in(std::string_view folder) const { return path.starts_with(folder); }
};

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// Only what belongs to the project: a user's build folders and outputs may lie beside it.
inline std::vector<SourceFile> source_tree(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  static constexpr std::array folders = {"hw",   "gen",     "golden",        "cosim", "verif", "clients",
                                         "docs", "rtl-out", "synth-scripts", "cmake", ".ci"};
  std::vector<SourceFile> out;
  const auto add = [&](const fs::directory_entry& entry) {
    if (!entry.is_regular_file() || entry.path().extension() == ".xz") return;
    std::ifstream in(entry.path(), std::ios::binary);
    out.push_back({fs::relative(entry.path(), root).generic_string(),
                   {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
  };
  for (const char* folder : folders)
    if (fs::exists(root / folder))
      for (const auto& entry : fs::recursive_directory_iterator(root / folder)) add(entry);
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.path().filename() != ".git") add(entry);  // a file where the tree is one of several of a clone
  std::ranges::sort(out, {}, &SourceFile::path);
  return out;
}

}  // namespace verif
