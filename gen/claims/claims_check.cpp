#include "gen/claims/claims_check.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string_view>

#include "gen/files.h"
#include "gen/study/made_of.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

// What a result would be made of now; none where nothing says how it is made.
std::optional<MadeOf> made_of_now(const fs::path& studies, const ResultSource& source) {
  constexpr std::string_view area = "`l1forge area ";
  if (!source.study.empty()) {
    const std::string study = (studies / (source.study + ".toml")).string();
    const std::string table = table_of_file(study, source.file);
    return table.empty() ? std::nullopt : std::optional(made_of(study, table));
  }
  if (!source.command.starts_with(area)) return std::nullopt;
  const std::size_t end = source.command.find_first_of(" `", area.size());
  return made_of_area(source.command.substr(area.size(), end - area.size()), source.command);
}

// Why a result is no longer what would be stored now; empty: it is.
std::string fault_of(const fs::path& studies, const ResultSource& source) {
  const std::optional<MadeOf> now = made_of_now(studies, source);
  if (!now && !source.study.empty()) return fmt::format("no table of the study {} writes it", source.study);
  if (!now) return "its command is no study and no area";
  const std::string line = now->line();
  const std::optional<MadeOf> then = made_of_line(read_file(source.path));
  const std::string needed = source.study.empty() ? ", with the line " + line.substr(0, line.size() - 1) : "";
  if (!then) return "does not say what it was made of" + needed;
  const std::string changed = then->differs(*now);
  return changed.empty() ? "" : fmt::format("made of other {}{}", changed, needed);
}

}  // namespace

Ages ages_of(const std::vector<Paper>& papers) {
  Ages ages;
  std::set<std::string> seen;
  for (const Paper& paper : papers)
    for (const ResultSource& source : paper.sources) {
      if (!source.file.ends_with(".csv") || !seen.insert(source.path).second) continue;
      ++ages.results;
      const fs::path studies = fs::absolute(paper.path).parent_path().parent_path() / "studies";
      if (const std::string why = fault_of(studies, source); !why.empty())
        ages.stale.push_back({source.path, why, source.command});
    }
  return ages;
}

}  // namespace gen
