// The name of a file or folder that is being written beside its own name: at any end of the process it goes.
#pragma once
#include <filesystem>

namespace golden {

class Draft {
 public:
  // Hidden, beside what it becomes, of this writer alone. Drafts that killed ones left there are removed.
  explicit Draft(const std::filesystem::path& final_path);
  Draft(const Draft&) = delete;
  ~Draft();  // a file that still has the name is removed

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Removes every Draft there is: the process is about to end by a signal.
void remove_drafts();

}  // namespace golden
