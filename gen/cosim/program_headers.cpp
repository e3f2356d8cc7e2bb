#include "gen/cosim/program_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gen/cosim/program_folder.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "golden/trace/io/draft.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

void add_state_of(Digest& digest, const fs::path& file) {
  std::error_code error;
  digest.add(fmt::format("{} {}", fs::file_size(file, error),
                         fs::last_write_time(file, error).time_since_epoch().count()));
}

// Those of other headers take a hundred megabytes each, and nobody will want them again.
void remove_others(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.parent_path(), error))
    if (entry.path().filename() != folder.filename() && !entry.path().filename().string().starts_with('.'))
      fs::remove_all(entry.path(), error);
}

}  // namespace

void add_headers(Digest& digest) {
  std::vector<fs::path> headers;
  for (const char* folder : {"golden", "cosim", "hw"})
    for (const auto& entry : fs::recursive_directory_iterator(paths::source() / folder))
      if (entry.path().extension() == ".h") headers.push_back(entry.path());
  std::ranges::sort(headers);
  for (const auto& h : headers) digest.add(read_file(h));
  add_state_of(digest, paths::verilator_include() / "verilated.h");
  add_state_of(digest, paths::ac_types() / "ac_int.h");
}

fs::path headers_folder(
    const std::string& level,
    const std::function<void(const fs::path&, const std::string&, const std::string&)>& compile) {
  Digest digest;
  digest.add(level);
  add_headers(digest);
  const fs::path home = program_place("program_headers", digest.text());
  if (fs::exists(home)) return home;
  const golden::Draft draft(home);
  const std::string read = fmt::format("{}.gch", program_headers);
  fs::create_directories((draft.path() / read).parent_path());
  write_file_atomically(draft.path() / "program_headers.h",
                        fmt::format("#include \"{}\"\n", program_headers));
  write_file_atomically(draft.path() / (read + ".sum"),
                        digest.text());  // what the compiler cache knows it by
  compile(draft.path(), "program_headers.h", read);
  std::error_code error;
  fs::rename(draft.path(), home, error);
  if (error && !fs::exists(home))
    throw FileError(fmt::format("{}: cannot create: {}", home.string(), error.message()));
  remove_others(home);
  return home;
}

}  // namespace gen
