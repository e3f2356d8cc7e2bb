#include "gen/generate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <set>

#include "gen/files.h"
#include "gen/json_file.h"
#include "gen/manifest.h"
#include "gen/orfs.h"
#include "gen/ports.h"
#include "gen/print_verilog.h"
#include "gen/testbench.h"
#include "golden/trace/io/draft.h"

namespace gen {
namespace fs = std::filesystem;

FileSet generated_files(const Config& config, const GenerateOptions& options) {
  const Unit unit = elaborate(config);
  FileSet files;
  std::vector<std::string> names;
  OrfsDesign design{.top = config.top, .files = {}, .black_boxes = options.black_boxes};
  for (const rtl::Module& m : rtl::modules_of(unit.top)) {
    names.push_back(m.name() + ".v");
    const bool stub = options.black_boxes && is_ram(m);
    files[names.back()] = stub ? verilog_stub(m) : verilog(m);
    if (!stub) design.files.push_back(names.back());
    if (is_ram(m)) design.macros.push_back(m.name());
  }
  if (options.black_boxes && design.macros.empty())
    throw ConfigError("--ram blackbox", fmt::format("{} has no RAM", config.top));
  auto description = manifest(config, unit, names);
  files[config.top + ".f"] = filelist(names);
  files[config.top + ".core"] = fusesoc_core(config, unit, names);
  if (options.black_boxes) description["ram_bodies"] = "blackbox";
  const auto add = [&](const char* list, const std::string& name, std::string text) {
    files[name] = std::move(text);
    description[list].push_back(name);
  };
  if (options.bench) add("bench_files", testbench_name(config.top), testbench(config, unit));
  if (options.bender) add("package_files", "Bender.yml", bender_package(config, names));
  if (!options.orfs) {
    files[config.top + ".json"] = description.dump(2) + "\n";
    return files;
  }
  for (const Port& p : ports_of(unit.top)) {
    if (p.is_clock) design.clocks.push_back(p.name);
    if (p.is_reset) design.resets.push_back(p.name);
  }
  for (const auto& [name, text] : orfs_files(design)) add("flow_files", name, text);
  files[config.top + ".json"] = description.dump(2) + "\n";
  return files;
}

namespace {

[[noreturn]] void refuse(const fs::path& folder, const std::string& name) {
  throw FileError(
      fmt::format("{}: already holds {}, which l1forge did not write; name another folder with -o",
                  folder.string(), name));
}

// A file that cannot be looked at, or that is no manifest, tells of no files.
nlohmann::json manifest_in(const fs::path& file) try {
  if (std::error_code error; file.extension() != ".json" || !fs::is_regular_file(file, error)) return {};
  return json_from<nlohmann::json>(read_file(file), file.string());
} catch (const std::runtime_error&) {
  return {};
}

// Files of an earlier call, by the manifests that lie in the folder.
std::set<std::string> ours(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const nlohmann::json manifest = manifest_in(entry.path());
    if (!manifest.is_object() || manifest.value("generator", nlohmann::json()) != "l1forge") continue;
    const auto top = manifest.value("top", nlohmann::json());
    if (!top.is_string() || entry.path().stem().string() != top.get<std::string>()) continue;
    for (const char* extension : {".f", ".json", ".core"}) names.insert(top.get<std::string>() + extension);
    for (const char* list : {"files", "flow_files", "bench_files", "package_files"})
      for (const auto& file : manifest.value(list, nlohmann::json::array()))
        if (std::error_code error; file.is_string() &&
                                   fs::is_regular_file(folder / file.get<std::string>(), error) &&
                                   fs::path(file.get<std::string>()).filename() == file.get<std::string>())
          names.insert(file);
  }
  return names;
}

constexpr std::size_t most_entries = 10'000;  // below a folder for units; a disk's or a user's own has more

// Calls `see` with the path of everything below the folder but what cannot be looked at. Links are not
// followed.
void walk(const fs::path& folder, const std::function<void(const fs::path&)>& see) {
  std::vector<fs::path> open{folder};
  std::size_t entries = 0;
  while (!open.empty()) {
    const fs::path at = open.back();
    open.pop_back();
    std::error_code error;
    for (fs::directory_iterator entry(at, error), last; !error && entry != last; entry.increment(error)) {
      if (++entries > most_entries)
        throw FileError(fmt::format("{}: holds more than {} files; name a folder for this unit with -o",
                                    folder.string(), most_entries));
      see(entry->path());
      std::error_code none;
      if (entry->symlink_status(none).type() == fs::file_type::directory) open.push_back(entry->path());
    }
  }
}

// Throws unless all that the unit writes is new or from an earlier call, and no Verilog of others is about:
// each .v below the folder is to be in the filelist.
void check_room(const fs::path& folder, const FileSet& files, const std::set<std::string>& known) {
  for (const auto& [name, text] : files) {
    const fs::file_status status = fs::symlink_status(folder / name);
    if (fs::exists(status) && (!known.contains(name) || !fs::is_regular_file(status))) refuse(folder, name);
  }
  walk(folder, [&](const fs::path& path) {
    const bool verilog = path.extension() == ".v" || path.extension() == ".sv" || path.extension() == ".f";
    if (!verilog) return;
    const std::string name = path.lexically_relative(folder).string();
    if (!known.contains(name)) refuse(folder, name);
  });
}

// Holds a folder for this process: two calls into the same folder take turns.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : fd_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (fd_ < 0 || ::flock(fd_, LOCK_EX) != 0)
      throw FileError(fmt::format("{}: cannot use the folder: {}", folder.string(), std::strerror(errno)));
  }
  ~FolderLock() { ::close(fd_); }
  FolderLock(const FolderLock&) = delete;

 private:
  int fd_;
};

// The folders of a path that do not exist yet, the innermost first.
std::vector<fs::path> missing_parts(fs::path path) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (path = fs::absolute(path).lexically_normal(); !fs::exists(path, error) && path.has_relative_path();
       path = path.parent_path())
    missing.push_back(path);
  return missing;
}

}  // namespace

void write_folder(const fs::path& folder, const FileSet& files) {
  const auto created = missing_parts(folder);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw FileError(fmt::format("{}: cannot create the folder: {}", folder.string(),
                                error ? error.message() : "a file is in the way"));
  try {
    const FolderLock lock(folder);  // until the staging folder is gone
    const golden::Draft draft(folder / "l1forge");
    const fs::path& staging = draft.path();
    const auto known = ours(folder);
    check_room(folder, files, known);
    if (!fs::create_directory(staging, error))
      throw FileError(fmt::format("{}: cannot write there: {}", folder.string(), error.message()));
    for (const auto& [name, text] : files) write_file_atomically(staging / name, text);
    for (const auto& [name, text] : files) fs::rename(staging / name, folder / name);
    for (const auto& name : known)
      if (!files.contains(name)) fs::remove(folder / name);
  } catch (...) {
    for (const auto& path : created) fs::remove(path, error);  // stays when another call has filled it
    throw;
  }
}

}  // namespace gen
