#include "gen/generate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <set>

#include "gen/area/mapped_ram.h"
#include "gen/area/mapping.h"
#include "gen/config/json_file.h"
#include "gen/config/text.h"
#include "gen/delivered.h"
#include "gen/digest.h"
#include "gen/files.h"
#include "gen/manifest.h"
#include "gen/orfs.h"
#include "gen/ports.h"
#include "gen/print_verilog.h"
#include "gen/tech/macro_verilog.h"
#include "gen/testbench.h"
#include "gen/version.h"
#include "golden/trace/io/draft.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// The manifest as a file. Its digests show later which files were edited; its own is of the text without it.
std::string manifest_text(Json manifest, const std::string& name) {
  manifest["digests"][name] = digest_of(manifest.dump());
  return manifest.dump(2) + "\n";
}

bool is_as_written(Json manifest, const std::string& name) {
  if (!manifest.contains("digests") || !manifest["digests"].is_object()) return false;
  const Json own = manifest["digests"][name];
  manifest["digests"].erase(name);
  return own == digest_of(manifest.dump());
}

}  // namespace

namespace {

// What several units in one folder have in common.
struct Shared {
  FileSet files = {};                  // listed in every manifest
  std::set<std::string> verilog = {};  // of more than one unit
  std::string core = {};               // its whole name; empty = nothing is shared
};

RamBodies ram_bodies(const GenerateOptions& options) {
  if (options.black_boxes) return RamBodies::stubs;
  return options.orfs || options.technology ? RamBodies::apart : RamBodies::shared;
}

// Models of the macros that the mapping takes, by file name.
FileSet macro_models(const RamMapping& mapping) {
  FileSet models;
  for (const MappedArray& array : mapping.arrays)
    if (array.macro) models[array.macro->cell + ".v"] = macro_model(*array.macro);
  return models;
}

OrfsDesign orfs_design(const Config& config, const Unit& unit, const GenerateOptions& options,
                       const RamMapping& mapping) {
  OrfsDesign design{.top = config.top, .files = {}, .black_boxes = options.black_boxes};
  for (const Port& p : gen::ports_of(unit.top)) {
    if (p.is_clock) design.clocks.push_back(p.name);
    if (p.is_reset) design.resets.push_back(p.name);
  }
  if (options.black_boxes) return design;
  for (const StorageArray& array : unit.storage) {
    const MappedArray* mapped = options.technology ? mapping.of(array.module) : nullptr;
    if (mapped == nullptr || (!mapped->macro && mapped->fallback != RamFallback::latches))
      design.largest_memory = std::max(design.largest_memory, array.bits());
  }
  if (!options.technology) return design;
  const Technology& tech = *options.technology;
  if (tech.flow.platform.empty())
    throw ConfigError(tech.path,
                      "--flow orfs needs orfs.platform = \"...\", a platform of OpenROAD-flow-scripts");
  design.platform = tech.flow.platform;
  design.flow = tech.flow;
  design.mapping = mapping;
  if (tech.clock_ns) design.clock_ns = *tech.clock_ns;
  return design;
}

FileSet files_of(const Config& config, const GenerateOptions& options, const Shared& shared) {
  const Unit unit = elaborate_with_prefix(config, options.prefix);
  FileSet files;
  std::vector<std::string> names, own;
  const RamMapping mapping =
      options.technology ? map_arrays(unit.storage, *options.technology) : RamMapping{};
  std::vector<std::string> rams, synthesized;
  for (const auto& [name, text] : macro_models(mapping)) {
    names.push_back(name);
    own.push_back(name);
    files[name] = text;
  }
  for (DeliveredModule& m : delivered_verilog(unit.top, ram_bodies(options))) {
    names.push_back(m.name + ".v");
    if (!shared.verilog.contains(names.back())) own.push_back(names.back());
    const MappedArray* array = m.is_ram ? mapping.of(m.name) : nullptr;
    files[names.back()] = array ? mapped_wrapper(m.text, *array) : std::move(m.text);
    if (!options.black_boxes || !m.is_ram) synthesized.push_back(names.back());
    if (m.is_ram) rams.push_back(m.name);
  }
  if (options.black_boxes && rams.empty())
    throw ConfigError("--ram blackbox", fmt::format("{} has no RAM", config.top));
  auto description = manifest(config, unit, names);
  files[config.top + ".f"] = filelist(names);
  files[config.top + ".core"] = fusesoc_core(config, unit, own, shared.core);
  if (options.black_boxes) description["ram_bodies"] = "blackbox";
  if (options.technology) {
    description["technology"] = options.technology->name;
    description["macros"] = mapping_json(mapping);
  }
  if (!options.prefix.empty()) description["prefix"] = options.prefix;
  const auto add = [&](const char* list, const std::string& name, std::string text) {
    files[name] = std::move(text);
    description[list].push_back(name);
  };
  for (const auto& [name, text] : shared.files) add("shared_files", name, text);
  if (options.bench) add("bench_files", testbench_name(config.top), testbench(config, unit));
  if (options.bender) add("package_files", "Bender.yml", bender_package(config.top, names));
  if (options.orfs) {
    OrfsDesign design = orfs_design(config, unit, options, mapping);
    design.files = synthesized;
    design.macros = rams;
    for (const auto& [name, text] : orfs_files(design)) add("flow_files", name, text);
  }
  for (const auto& [name, text] : files) description["digests"][name] = digest_of(text);
  const std::string name = config.top + ".json";
  files[name] = manifest_text(description, name);
  return files;
}

}  // namespace

FileSet generated_files(const Config& config, const GenerateOptions& options) {
  return files_of(config, options, {});
}

FileSet generated_files(const std::vector<Config>& configs, const GenerateOptions& options) {
  if (configs.size() == 1) return generated_files(configs[0], options);
  if (options.orfs) throw ConfigError("--flow orfs", "is of one design with one top: name one unit");
  if (options.technology) throw ConfigError("--tech", "is of one design with one top: name one unit");
  Shared shared;
  std::vector<std::string> all, tops;
  for (const Config& config : configs) {
    if (std::ranges::find(tops, config.top) != tops.end())
      throw ConfigError("gen",
                        fmt::format("two units are called {}: give one a name in a TOML file", config.top));
    tops.push_back(config.top);
    const rtl::Module top = elaborate_with_prefix(config, options.prefix).top;
    std::set<std::string> own;
    for (const rtl::Module& m : rtl::modules_of(top)) {
      const std::string file = delivered_name(m, ram_bodies(options)) + ".v";
      if (!own.insert(file).second) continue;
      if (std::ranges::find(all, file) == all.end())
        all.push_back(file);
      else
        shared.verilog.insert(file);
    }
  }
  const std::string together = fmt::format("{}", fmt::join(tops, "_"));
  shared.files["units.vc"] = filelist(all);
  if (options.bender) shared.files["Bender.yml"] = bender_package(together, all);
  if (!shared.verilog.empty()) {
    shared.core = fmt::format("l1forge:shared:{}:{}", together, version);
    shared.files["shared.core"] = shared_core(shared.core, {shared.verilog.begin(), shared.verilog.end()});
  }
  GenerateOptions each = options;
  each.bender = false;
  FileSet files;
  for (const Config& config : configs)
    for (auto& [name, text] : files_of(config, each, shared)) {
      const auto [known, is_new] = files.emplace(name, text);
      if (is_new || known->second == text) continue;
      throw ConfigError("gen",
                        fmt::format("{} is in two units and differs: give one of them a name in a TOML file, "
                                    "or generate them apart with --prefix",
                                    name));
    }
  return files;
}

namespace {

[[noreturn]] void refuse(const fs::path& folder, const std::string& name) {
  throw FileError(
      fmt::format("{}: already holds {}, which l1forge did not write; name another folder with -o",
                  folder.string(), name));
}

// A file that cannot be looked at, or that is no manifest, names no files.
Json manifest_in(const fs::path& file) try {
  if (std::error_code error; file.extension() != ".json" || !fs::is_regular_file(file, error)) return {};
  return json_from<Json>(read_file(file), file.string());
} catch (const std::runtime_error&) {
  return {};
}

// Files of earlier calls, by the manifests that lie in the folder, and whether each is as it was written.
using Known = std::map<std::string, bool>;

void add_files_of(const Json& manifest, const fs::path& folder, Known& known) {
  const std::string top = manifest["top"];
  const Json digests = manifest.value("digests", Json());
  const auto is_written = [&](const std::string& name) {
    return digests.is_object() && digests.value(name, Json()) == digest_of(read_file(folder / name));
  };
  const auto add = [&](const std::string& name) {
    std::error_code error;
    if (!fs::is_regular_file(folder / name, error) || fs::path(name).filename() != name) return;
    known[name] |= name == top + ".json" ? is_as_written(manifest, name) : is_written(name);
  };
  for (const char* extension : {".f", ".json", ".core"}) add(top + extension);
  for (const char* list : {"files", "shared_files", "flow_files", "bench_files", "package_files"})
    for (const Json& file : manifest.value(list, Json::array()))
      if (file.is_string()) add(file);
}

Known ours(const fs::path& folder) {
  Known known;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const Json manifest = manifest_in(entry.path());
    if (manifest.is_object() && manifest.value("generator", Json()) == "l1forge" &&
        manifest.value("top", Json()) == entry.path().stem().string())
      add_files_of(manifest, folder, known);
  }
  return known;
}

// Throws when the unit would take away what somebody wrote into files of an earlier call.
void check_edits(const fs::path& folder, const FileSet& files, const Known& known) {
  std::vector<std::string> edited;
  for (const auto& [name, as_written] : known) {
    const auto file = files.find(name);
    if (!as_written && (file == files.end() || read_file(folder / name) != file->second))
      edited.push_back(name);
  }
  if (!edited.empty())
    throw FileError(fmt::format(
        "{}: not as l1forge wrote them, by the digests in the manifest: {}; keep your edits elsewhere, then "
        "gen --force",
        folder.string(), joined(edited, ", ")));
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
void check_space(const fs::path& folder, const FileSet& files, const Known& known) {
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

// Holds a folder for this process: two calls into the same folder alternate.
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

void write_folder(const fs::path& folder, const FileSet& files, bool force) {
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
    const Known known = ours(folder);
    check_space(folder, files, known);
    if (!force) check_edits(folder, files, known);
    if (!fs::create_directory(staging, error))
      throw FileError(fmt::format("{}: cannot write there: {}", folder.string(), error.message()));
    for (const auto& [name, text] : files) write_file_atomically(staging / name, text);
    for (const auto& [name, text] : files) fs::rename(staging / name, folder / name);
    for (const auto& [name, as_written] : known)
      if (!files.contains(name)) fs::remove(folder / name);
  } catch (...) {
    for (const auto& path : created) fs::remove(path, error);  // stays when another call has filled it
    throw;
  }
}

}  // namespace gen
