#include "gen/site/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gen/config/config.h"
#include "gen/datasheet/datasheet.h"
#include "gen/files.h"
#include "gen/marked_file.h"
#include "gen/site/site_pages.h"
#include "gen/status_line.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr const char* sheets = "datasheets";

// Every file in the folder is one that l1forge wrote, and what is to be written replaces no other.
void check_folder(const fs::path& folder) {
  make_output_folder(folder / sheets);
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_symlink() || !entry.is_directory()) check_own_file(entry.path());
}

void write(const fs::path& folder, const std::string& name, const std::string& text) {
  const fs::path file = folder / name;
  fs::create_directories(file.parent_path());
  write_file_atomically(file, marked(text, file));
}

// Datasheets that are in the folder, of this call or an earlier one, by their presets.
std::map<std::string, std::string> datasheets_in(const fs::path& folder) {
  std::map<std::string, std::string> pages;
  for (const std::string& preset : preset_names())
    if (const std::string page = fmt::format("{}/{}", sheets, page_name(load_config(preset)));
        fs::exists(folder / page))
      pages[preset] = page;
  return pages;
}

// All but the datasheets.
void write_pages(const fs::path& folder, SiteFiles files, const Origin& origin) {
  const std::map<std::string, std::string> measured = datasheets_in(folder);
  files["index.html"] = catalogue_page(measured, origin);
  SiteFiles searched = files;
  for (const auto& [preset, page] : measured) searched[page] = read_file(folder / page);
  files["search-index.js"] = search_index(searched);
  for (const auto& [name, text] : files) write(folder, name, text);
}

}  // namespace

int site(const fs::path& folder, const std::vector<std::string>& presets, const Origin& origin) {
  check_folder(folder);
  SiteFiles files = documentation_pages(origin);
  files.merge(tool_pages(origin));
  for (const auto& [name, text] : files) check_writable(folder / fs::path(name).filename());
  write_pages(folder, files, origin);  // so that a call that is cut short leaves a site
  int status = 0;
  for (std::size_t n = 0; n < presets.size(); ++n) {
    const StatusLine line(fmt::format("datasheet {} of {}", n + 1, presets.size()));
    const Config config = load_config(presets[n]);
    const Datasheet sheet = datasheet_of(config, origin.version);
    const std::string name = fmt::format("{}/{}", sheets, page_name(config));
    write(folder, name, with_navigation(sheet.page, name));
    if (sheet.passed) continue;
    fmt::print(stderr, "l1forge: {}: the co-simulation found a mismatch\n", config.top);
    status = 1;
  }
  write_pages(folder, files, origin);
  fmt::print("{}: {} pages, {} of {} datasheets\n", (folder / "index.html").string(),
             1 + std::ranges::count_if(files, [](const auto& file) { return file.first.ends_with(".html"); }),
             datasheets_in(folder).size(), preset_names().size());
  return status;
}

}  // namespace gen
