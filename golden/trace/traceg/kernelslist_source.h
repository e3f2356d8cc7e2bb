// The kernels of an Accel-Sim `kernelslist.g`, one `.traceg` after the other.
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "golden/trace/traceg/traceg_source.h"

namespace golden {

class KernelslistSource : public TraceSource {
 public:
  // The list at its start; its kernels lie in `folder`.
  KernelslistSource(std::unique_ptr<ByteSource> list, std::filesystem::path folder);

  bool next_kernel(KernelInfo& kernel) override;
  bool next(Record& record) override { return kernel_ && kernel_->next(record); }
  bool list_instructions() override { return lists_ = true; }
  const std::string& name() const override { return name_; }
  double fraction() const override;

  // Of its kernels, in the order of the list.
  std::vector<std::filesystem::path> files() const;

 private:
  struct Entry {
    std::uint64_t line;
    std::string file;
  };

  std::string name_;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;  // the entry after the current kernel's
  std::optional<TracegSource> kernel_;
  bool lists_ = false;
};

}  // namespace golden
