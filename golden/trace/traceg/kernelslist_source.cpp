#include "golden/trace/traceg/kernelslist_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace golden {

namespace {

void check_copy(const LineSource& lines, std::string_view text) {
  const std::size_t first = text.find(','), second = text.find(',', first + 1);
  if (std::ranges::count(text, ',') != 2 || text.substr(0, first) != "MemcpyHtoD")
    lines.fail(fmt::format("{} must be MemcpyHtoD,address,bytes", shown(text)));
  Words(lines, text.substr(first + 1, second - first - 1)).hex<std::uint64_t>("destination address");
  Words(lines, text.substr(second + 1)).decimal<std::uint64_t>("number of bytes");
}

}  // namespace

KernelslistSource::KernelslistSource(std::unique_ptr<ByteSource> list, std::filesystem::path folder)
    : folder_(std::move(folder)) {
  LineSource lines(std::move(list));
  name_ = lines.name();
  std::string_view text;
  for (std::uint64_t number = 1; lines.next(text); ++number) {
    text = text.substr(0, text.find_last_not_of(" \t") + 1);
    if (text.starts_with("MemcpyHtoD")) check_copy(lines, text);
    if (!text.starts_with("kernel")) continue;
    if (std::ranges::any_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; }))
      lines.fail(fmt::format("{} is no file name", shown(text)));
    if (text.ends_with(".tracez"))
      lines.fail(fmt::format("{}: a binary .tracez cannot be read; write .traceg instead", shown(text)));
    entries_.push_back({number, std::string(text)});
  }
  if (entries_.empty()) lines.fail("the list ends without a kernel");
}

bool KernelslistSource::next_kernel(KernelInfo& kernel) {
  kernel_.reset();
  if (next_ == entries_.size()) return false;
  const Entry& entry = entries_[next_++];
  std::unique_ptr<ByteSource> file;
  try {
    file = std::make_unique<ByteSource>((folder_ / entry.file).string());
  } catch (const TraceError& e) {
    throw TraceError(fmt::format("{}:{}:1: {}", name_, entry.line, e.what()));
  }
  kernel_.emplace(std::move(file));
  if (lists_) kernel_->list_instructions();
  kernel_->next_kernel(kernel);
  kernel.index = static_cast<std::uint32_t>(next_ - 1);
  return true;
}

std::vector<std::filesystem::path> KernelslistSource::files() const {
  std::vector<std::filesystem::path> files;
  for (const Entry& entry : entries_) files.push_back(folder_ / entry.file);
  return files;
}

double KernelslistSource::fraction() const {
  const double inside = kernel_ ? std::max(0.0, kernel_->fraction()) : 0;
  return (static_cast<double>(next_) - (kernel_ ? 1 : 0) + inside) / static_cast<double>(entries_.size());
}

}  // namespace golden
