#include "gen/claims/claims_check.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <set>

#include "gen/files.h"
#include "gen/study/made_of.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

// Why a result is no longer what would be stored now; empty: it is.
std::string fault_of(const fs::path& studies, const ResultSource& source) {
  if (source.study.empty()) return "its command is no study";
  const std::string study = (studies / (source.study + ".toml")).string();
  const std::string table = table_of_file(study, source.file);
  if (table.empty()) return fmt::format("no table of the study {} writes it", source.study);
  const std::optional<MadeOf> then = made_of_line(read_file(source.path));
  if (!then) return "does not say what it was made of";
  const std::string changed = then->differs(made_of(study, table));
  return changed.empty() ? "" : fmt::format("made of other {}", changed);
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
