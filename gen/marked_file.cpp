#include "gen/marked_file.h"

#include <fmt/format.h>

#include <string_view>

#include "gen/digest.h"
#include "gen/files.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

struct Mark {
  std::string_view begin, end;
};

Mark mark_of(const fs::path& file) {
  if (file.extension() == ".def") return {"# l1forge page ", "\n"};
  return file.extension() == ".js" ? Mark{"// l1forge page ", "\n"} : Mark{"<!-- l1forge page ", " -->\n"};
}

}  // namespace

std::string marked(const std::string& text, const fs::path& file) {
  const Mark mark = mark_of(file);
  return text + fmt::format("{}{}{}", mark.begin, digest_of(text), mark.end);
}

Owner owner_of(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(file, error);
  if (!fs::exists(status)) return Owner::nobody;
  if (!fs::is_regular_file(status)) return Owner::other;
  const std::string text = read_file(file);
  const std::size_t at = text.rfind(mark_of(file).begin);
  if (at == std::string::npos) return Owner::other;
  return marked(text.substr(0, at), file) == text ? Owner::l1forge : Owner::edited;
}

void check_own_file(const fs::path& file) {
  const Owner owner = owner_of(file);
  if (owner == Owner::edited)
    throw FileError(fmt::format(
        "{}: was edited since l1forge wrote it; keep it elsewhere, or name another folder with -o",
        file.string()));
  if (owner == Owner::other)
    throw FileError(fmt::format(
        "{}: is there already, and l1forge did not write it; name another folder with -o", file.string()));
}

}  // namespace gen
