#include "golden/trace/io/draft.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <set>

namespace golden {
namespace fs = std::filesystem;
namespace {

// Never destroyed, since a signal may come at any time.
struct Drafts {
  std::mutex mutex;
  std::set<fs::path> paths;
};
Drafts& drafts() {
  static auto* all = new Drafts;
  return *all;
}

}  // namespace

Draft::Draft(const fs::path& final_path) {
  static std::atomic<unsigned> count{0};
  path_ = final_path.parent_path() /
          fmt::format(".{}.{}-{}.tmp", final_path.filename().string(), ::getpid(), count++);
  const std::lock_guard lock(drafts().mutex);
  drafts().paths.insert(path_);
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
