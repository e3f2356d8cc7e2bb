#include "golden/trace/io/process_mark.h"

#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <vector>

namespace golden {
namespace fs = std::filesystem;
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// When the process began, in ticks since the boot; 0 when it is gone or only waits to be buried.
std::uint64_t begin_of(std::uint64_t process) {
  const std::string stat = text_of(fmt::format("/proc/{}/stat", process));
  std::size_t at = stat.rfind(')');  // behind the program's name, which may hold anything
  if (at == std::string::npos || at + 2 >= stat.size() || stat[at + 2] == 'Z' || stat[at + 2] == 'X')
    return 0;
  constexpr int fields_before = 20;  // from the state on
  for (int n = 0; n < fields_before && at != std::string::npos; ++n) at = stat.find(' ', at + 1);
  std::uint64_t begin = 0;
  if (at != std::string::npos) std::from_chars(stat.data() + at + 1, stat.data() + stat.size(), begin);
  return begin;
}

// Of this boot and this space of process numbers.
const std::string& machine_mark() {
  static const std::string mark = [] {
    std::error_code error;
    const std::string both =
        text_of("/proc/sys/kernel/random/boot_id") + fs::read_symlink("/proc/self/ns/pid", error).string();
    return fmt::format("{:08x}",
                       lzma_crc32(reinterpret_cast<const std::uint8_t*>(both.data()), both.size(), 0));
  }();
  return mark;
}

// Cuts the part behind the last dash off; nothing where there is no dash.
std::string_view cut(std::string_view& name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view part = name.substr(dash + 1);
  name = name.substr(0, dash);
  return part;
}

bool number(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace

const std::string& process_mark() {
  static const std::string mark =
      fmt::format("{}-{}-{}", machine_mark(), ::getpid(), begin_of(static_cast<std::uint64_t>(::getpid())));
  return mark;
}

bool marks_gone_process(std::string_view name) {
  if (name.ends_with(".tmp")) name.remove_suffix(4);
  cut(name);
  std::uint64_t begin = 0, process = 0;
  if (!number(cut(name), begin) || !number(cut(name), process)) return false;
  // Where the own beginning is not to be had, neither is that of others.
  return begin != 0 && name.ends_with(machine_mark()) && begin_of(process) != begin;
}

void remove_stale_lines(const fs::path& folder, std::string_view begin, std::string_view end) {
  std::vector<fs::path> left;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), last; !error && entry != last; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin) || !name.ends_with(end) || !marks_gone_process(name)) continue;
    struct stat found;  // of a link itself
    if (::lstat(entry->path().c_str(), &found) == 0 && found.st_uid == ::geteuid() &&
        (S_ISDIR(found.st_mode) || S_ISREG(found.st_mode)))
      left.push_back(entry->path());
  }
  for (const fs::path& path : left) fs::remove_all(path, error);
}

}  // namespace golden
