#include "golden/trace/io/draft.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <set>

#include "golden/trace/io/process_mark.h"

namespace golden {
namespace fs = std::filesystem;
namespace {

// Never destroyed, since a signal may come at any time.
struct Drafts {
  std::mutex mutex;
  std::set<fs::path> paths;
  std::set<fs::path> swept;  // folders that have been looked through for drafts of killed processes
};
Drafts& drafts() {
  static auto* all = new Drafts;
  return *all;
}

}  // namespace

Draft::Draft(const fs::path& final_path) {
  static std::atomic<unsigned> count{0};
  constexpr std::size_t most_of_name = 100;  // the whole may be as long as names can be
  const fs::path folder = final_path.parent_path();
  const std::string name = final_path.filename().string().substr(0, most_of_name);
  path_ = folder / fmt::format(".{}.{}-{}.tmp", name, process_mark(), count++);
  const std::lock_guard lock(drafts().mutex);
  drafts().paths.insert(path_);
  if (drafts().swept.insert(folder).second) remove_stale_lines(folder.empty() ? "." : folder, ".", ".tmp");
}

Draft::~Draft() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  const std::lock_guard lock(drafts().mutex);
  drafts().paths.erase(path_);
}

void remove_drafts() {
  drafts().mutex.lock();  // for good: nobody begins one any more
  std::error_code ignored;
  for (const auto& path : drafts().paths) fs::remove_all(path, ignored);
}

}  // namespace golden
