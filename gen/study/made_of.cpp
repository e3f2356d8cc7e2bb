#include "gen/study/made_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "gen/config/config.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"
#include "gen/digest.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/study/behaviour.h"
#include "gen/study/digests.h"
#include "gen/study/measure.h"
#include "gen/study/study_file.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view line_opening = "# made of ";

struct LinePart {
  const char* name;
  std::string MadeOf::*text;
};
constexpr LinePart line_parts[] = {
    {"study", &MadeOf::study}, {"units", &MadeOf::units}, {"models", &MadeOf::models}};

// A key's parts: grid.NAME.keys.index.kind is "grid", "NAME" and "keys.index.kind".
struct KeyParts {
  std::string table, name, rest;
  explicit KeyParts(const std::string& key) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    const std::size_t next = std::min(key.find('.', dot + 1), key.size());
    table = key.substr(0, dot);
    if (dot < key.size()) name = key.substr(dot + 1, next - dot - 1);
    if (next < key.size()) rest = key.substr(next + 1);
  }
};

bool belongs(const KeyParts& key, const std::string& table) {
  if (key.table == "table") return key.name == table;
  return key.table != "title" && key.table != "pages" && key.rest != "label";
}

// As it stands in the file: a message's source of it is shortened.
std::string written_whole(const Written& value) {
  if (value.type == Written::Type::text) return value.text;
  if (value.type != Written::Type::list) return value.source;
  std::string text;
  for (const Written& item : value.items) text += fmt::format("[{}]", written_whole(item));
  return text;
}

// Of text that names a file beside the study.
std::string content_beside(const fs::path& folder, const std::string& name) {
  std::error_code error;
  const fs::path file = folder / name;
  return name.ends_with(".toml") && fs::is_regular_file(file, error) ? read_file(file.string()) : "";
}

// What of Verilog makes hardware.
std::string without_comments(const std::string& verilog) {
  std::string out;
  for (std::size_t at = 0; at < verilog.size();) {
    const std::size_t end = std::min(verilog.find('\n', at), verilog.size());
    const std::size_t comment = std::min(verilog.find("//", at), end);
    out.append(verilog, at, comment - at).push_back('\n');
    at = end + 1;
  }
  return out;
}

void add_verilog(Digest& digest, const Config& config) {
  for (const auto& [name, text] : generated_files(config))
    if (name.ends_with(".v")) digest.add(without_comments(text));
}

std::string models_of(const std::set<std::string>& programs) {
  Digest digest;
  for (const std::string& program : programs) digest.add(program);
  return digest.text();
}

// Tables of a study come one after the other, and its configurations take seconds to make. `text` is
// of all that it is read from.
const Study& known_study(const std::string& path, const std::string& text) {
  static std::map<std::string, Study> known;
  const std::string key = path + '\n' + text;
  const auto found = known.find(key);
  return found != known.end() ? found->second : known[key] = read_study_without_inputs(path);
}

}  // namespace

std::string MadeOf::line() const {
  std::vector<std::string> said;
  for (const LinePart& part : line_parts) said.push_back(fmt::format("{} {}", part.name, this->*part.text));
  return fmt::format("{}{}\n", line_opening, joined(said, ", "));
}

std::string MadeOf::differs(const MadeOf& other) const {
  std::vector<std::string> changed;
  for (const LinePart& part : line_parts)
    if (this->*part.text != other.*part.text) changed.push_back(part.name);
  return joined(changed, " and ");
}

std::optional<MadeOf> made_of_line(const std::string& csv) {
  const std::size_t at = csv.rfind(line_opening);
  if (at == std::string::npos || (at > 0 && csv[at - 1] != '\n')) return std::nullopt;
  MadeOf found;
  for (const LinePart& part : line_parts) {
    const std::string before = fmt::format("{} ", part.name);
    const std::size_t begin = csv.find(before, at);
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = csv.find_first_of(",\n", begin);
    found.*part.text = csv.substr(begin + before.size(), end - begin - before.size());
  }
  return found;
}

MadeOf made_of(const std::string& path, const std::string& table) {
  const fs::path folder = fs::path(path).parent_path();
  Digest all, content, units;
  std::set<std::string> words, programs;  // names of figures; digests
  for (const Setting& s : read_toml_file(path)) {
    const KeyParts key(s.key);
    for (const std::string& text : {s.key, written_whole(s.value), content_beside(folder, s.value.text)}) {
      all.add(text);
      if (belongs(key, table)) content.add(text);
    }
    if (!belongs(key, table)) continue;
    if (key.table == "table" || key.table == "let") words.merge(words_in(written_whole(s.value)));
  }
  const Study& study = known_study(path, all.text());
  bool verilog = false, explored = false;
  for (const Measure& measure : study.measures) {
    const bool models_alone = measure.kind->program == &exploration_digest;
    explored |= models_alone;
    verilog |= measure.kind->verilog;
    if (!models_alone) programs.insert(*measure.kind->program);
  }
  if (explored) programs.insert(behaviour_of(study, words));
  const bool shown = verilog || words.contains("bits") || words.contains("published_bits");
  for (const StudyPoint& point : study.points) {
    if (shown) units.add(fmt::format("{} {}", point.bits, point.published_bits));
    if (verilog) add_verilog(units, point.config);
  }
  return {content.text(), shown ? units.text() : "none", models_of(programs)};
}

std::string table_of_file(const std::string& study, const std::string& file) {
  for (const Setting& s : read_toml_file(study))
    if (const KeyParts key(s.key); key.table == "table" && key.rest == "file")
      if (fs::path(s.value.text).filename() == fs::path(file).filename()) return key.name;
  return "";
}

}  // namespace gen
