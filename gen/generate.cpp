#include "gen/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "gen/files.h"
#include "gen/manifest.h"
#include "gen/orfs.h"
#include "gen/ports.h"
#include "gen/print_verilog.h"

namespace gen {
namespace fs = std::filesystem;

FileSet generated_files(const Config& config, bool orfs) {
  const Unit unit = elaborate(config);
  FileSet files;
  std::vector<std::string> names;
  for (const rtl::Module& m : rtl::modules_of(unit.top)) {
    names.push_back(m.name() + ".v");
    files[names.back()] = verilog(m);
  }
  files[config.top + ".f"] = filelist(names);
  files[config.top + ".json"] = manifest(config, unit, names).dump(2) + "\n";
  files[config.top + ".core"] = fusesoc_core(config, unit, names);
  if (!orfs) return files;
  OrfsDesign design{.top = config.top, .files = names};
  for (const Port& p : ports_of(unit.top)) {
    if (p.is_clock) design.clocks.push_back(p.name);
    if (p.is_reset) design.resets.push_back(p.name);
  }
  for (const auto& [name, text] : orfs_files(design)) files[name] = text;
  return files;
}

namespace {

// What an earlier call left there and the new unit does not have; throws when the folder is not ours to fill.
std::vector<fs::path> outdated(const fs::path& folder, const FileSet& files) {
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    const auto manifest = nlohmann::json::parse(read_file(entry.path()), nullptr, false);
    if (!manifest.is_object() || manifest.value("generator", "") != "l1forge") continue;
    auto names = manifest.value("files", std::vector<std::string>{});
    for (const char* extension : {".f", ".json", ".core"})
      names.push_back(manifest.value("top", "") + extension);
    for (const auto& name : names)
      if (!files.contains(name) && name.find('/') == std::string::npos) old.push_back(folder / name);
  }
  for (const auto& entry : fs::directory_iterator(folder))
    if (const auto name = entry.path().filename().string();
        (entry.path().extension() == ".f" || entry.path().extension() == ".v") && !files.contains(name) &&
        std::ranges::find(old, entry.path()) == old.end())
      throw FileError(
          fmt::format("{}: already holds {}, which l1forge did not write; name another folder with -o",
                      folder.string(), name));
  return old;
}

}  // namespace

void write_folder(const fs::path& folder, const FileSet& files, const std::string& top) {
  std::error_code error;
  const bool created = fs::create_directories(folder, error);
  if (error)
    throw FileError(fmt::format("{}: cannot create the folder: {}", folder.string(), error.message()));
  const fs::path staging = folder / fmt::format(".{}.tmp", top);
  try {
    const auto old = outdated(folder, files);
    fs::remove_all(staging);
    if (!fs::create_directory(staging, error))
      throw FileError(fmt::format("{}: cannot write there: {}", folder.string(), error.message()));
    for (const auto& [name, text] : files) write_file_atomically(staging / name, text);
    for (const auto& [name, text] : files) fs::rename(staging / name, folder / name);
    for (const auto& path : old) fs::remove(path);
    fs::remove(staging);
  } catch (...) {
    fs::remove_all(staging, error);
    if (created) fs::remove_all(folder, error);
    throw;
  }
}

}  // namespace gen
