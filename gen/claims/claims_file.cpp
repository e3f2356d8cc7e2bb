#include "gen/claims/claims_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>

#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/config/toml_source.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void no_such_key(const Setting& s, const std::string& word,
                              const std::vector<std::string>& known) {
  const std::string near = nearest_word(word, known);
  throw ConfigError(s.key_place,
                    fmt::format("{}: no such key of claims{}; there are {}", s.key,
                                near.empty() ? "" : "; did you mean " + near + "?", joined(known, ", ")));
}

std::string words(const Setting& s) {
  if (s.value.type == Written::Type::text && !s.value.text.empty()) return s.value.text;
  throw ConfigError(s.key_place, fmt::format("{} = {}: must be a string", s.key, s.value.source));
}

// A sentence or a figure of the paper, no passage of it.
std::string quotation(const Setting& s) {
  constexpr std::size_t most = 25;
  const std::string text = words(s);
  std::istringstream in(text);
  const auto count = std::distance(std::istream_iterator<std::string>(in), {});
  if (static_cast<std::size_t>(count) <= most) return text;
  throw ConfigError(s.key_place, fmt::format("{}: has {} words; {} at most", s.key, count, most));
}

std::string kind(const Setting& s) {
  const std::string text = words(s);
  if (std::ranges::find(claim_kinds(), text) != claim_kinds().end()) return text;
  const std::string near = nearest_word(text, claim_kinds());
  const std::string meant = near.empty() ? "" : "; did you mean " + near + "?";
  throw ConfigError(s.value.place, fmt::format("{} = {}: no such kind{}; there are {}", s.key, s.value.source,
                                               meant, joined(claim_kinds(), ", ")));
}

bool flag(const Setting& s) {
  if (s.value.type == Written::Type::boolean) return s.value.boolean;
  throw ConfigError(s.value.place, fmt::format("{} = {}: must be true or false", s.key, s.value.source));
}

std::vector<std::string> list_of_words(const Setting& s) {
  std::vector<std::string> list;
  for (const Written& item : s.value.items) list.push_back(item.text);
  if (list.empty() || std::ranges::any_of(list, [](const std::string& item) { return item.empty(); }))
    throw ConfigError(s.key_place, fmt::format("{} = {}: must be a list of strings", s.key, s.value.source));
  return list;
}

// The item of that name, a new one at first.
template <class Item>
Item& named(std::vector<Item>& items, std::string Item::*name, const std::string& wanted, Item&& made) {
  const auto found = std::ranges::find(items, wanted, name);
  return found != items.end() ? *found : items.emplace_back(std::move(made));
}

// Of a file of the folder of studies.
std::string plain_name(const Setting& s) {
  const std::string name = words(s);
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (std::ranges::all_of(name, plain)) return name;
  throw ConfigError(s.value.place,
                    fmt::format("{} = {}: must be letters, digits, _ and -", s.key, s.value.source));
}

void read_source(ResultSource& source, const Setting& s, const std::string& key) {
  if (key == "unit")
    source.unit = words(s);
  else if (key == "settings")
    source.settings = list_of_words(s);
  else if (key == "run")
    source.run = list_of_words(s);
  else if (key == "file")
    source.file = words(s);
  else if (key == "study")
    source.study = plain_name(s);
  else if (key == "command")
    source.command = words(s);
  else if (key == "rows" && s.value.type == Written::Type::integer && s.value.integer > 0)
    source.rows = static_cast<std::size_t>(s.value.integer);
  else if (key == "rows")
    throw ConfigError(s.key_place, fmt::format("{} = {}: must be a number of rows", s.key, s.value.source));
  else
    no_such_key(s, key, {"unit", "settings", "run", "file", "study", "command", "rows"});
}

void read_claim(Claim& claim, const Setting& s, const std::string& key) {
  const auto& compared = Comparison::keys();
  if (key == "section") {
    claim.section = words(s);
  } else if (key == "claim") {
    claim.text = words(s);
  } else if (key == "kind") {
    claim.kind = kind(s);
  } else if (key == "words") {
    claim.words = quotation(s);
  } else if (key == "sized") {
    claim.sized = flag(s);
  } else if (key == "why") {
    claim.why = words(s);
  } else if (key == "experiment") {
    claim.experiment = words(s);
  } else if (key.starts_with("value.") || std::ranges::find(compared, key) != compared.end()) {
    claim.comparison.read(s, key);
  } else {
    std::vector<std::string> known{"section", "claim", "kind", "words", "sized", "why", "experiment"};
    known.insert(known.end(), compared.begin(), compared.end());
    no_such_key(s, key, known);
  }
}

void read_key(Paper& paper, const Setting& s) {
  const std::size_t dot = std::min(s.key.find('.'), s.key.size());
  const std::size_t next = std::min(s.key.find('.', dot + 1), s.key.size());
  const std::string table = s.key.substr(0, dot);
  const std::string name = dot < s.key.size() ? s.key.substr(dot + 1, next - dot - 1) : "";
  const std::string key = next < s.key.size() ? s.key.substr(next + 1) : "";
  if (s.key == "paper")
    paper.name = words(s);
  else if (table == "result" && !key.empty())
    read_source(named(paper.sources, &ResultSource::name, name, ResultSource{name, s.key_place}), s, key);
  else if (table == "claim" && !key.empty())
    read_claim(named(paper.claims, &Claim::id, name,
                     Claim{.id = name, .place = s.key_place, .comparison = Comparison(s.key_place)}),
               s, key);
  else
    no_such_key(s, table, {"paper", "result.NAME", "claim.ID"});
}

void check_source(ResultSource& source, const ClaimsFolders& folders, CallParser parser) {
  const auto refuse = [&](const std::string& what) {
    throw ConfigError(source.place, fmt::format("[result.{}]: {}", source.name, what));
  };
  if (!source.unit.empty() + !source.run.empty() + !source.file.empty() != 1)
    refuse("needs one of unit, run and file");
  if (!source.study.empty() && !source.command.empty()) refuse("needs one of study and command");
  if (!source.study.empty())
    source.command =
        fmt::format("`l1forge study docs/studies/{}.toml --traces TRACES --pages`", source.study);
  if (!source.file.empty() && source.command.empty())
    refuse("file needs the study or the command that repeats it");
  if (source.file.ends_with(".csv") && source.rows == 0) refuse("file needs its number of rows");
  const std::string place = fmt::format("{}: [result.{}]", source.place, source.name);
  if (!source.file.empty()) source.path = file_below(folders, source.file, place);
  if (!source.unit.empty()) source.path = unit_below(folders, source.unit, place);
  if (!source.run.empty()) source.reading = reading_run(source.run, folders, place, parser);
}

void check_claim(const Paper& paper, const Claim& claim) {
  claim.comparison.check();
  if (claim.section.empty() || claim.text.empty())
    throw ConfigError(claim.place, fmt::format("[claim.{}]: needs section and claim", claim.id));
  if (claim.sized) claim.comparison.check_size();
  for (const std::string& name : claim.comparison.results())
    if (std::ranges::find(paper.sources, name, &ResultSource::name) == paper.sources.end())
      throw ConfigError(claim.place,
                        fmt::format("[claim.{}]: {}: there is no [result.{}]", claim.id, name, name));
}

}  // namespace

const std::vector<std::string>& claim_kinds() {
  static const std::vector<std::string> kinds{"arithmetic",  "structure", "behaviour",
                                              "performance", "area",      "energy"};
  return kinds;
}

Paper read_paper(const std::string& path, const fs::path& traces, CallParser parser) {
  Paper paper;
  paper.path = path;
  for (const Setting& s : read_toml_file(path)) read_key(paper, s);
  if (paper.name.empty()) throw ConfigError(path, "needs paper = its name");
  if (paper.claims.empty()) throw ConfigError(path, "has no [claim.ID]");
  const ClaimsFolders folders{fs::absolute(path).lexically_normal().parent_path(), fs::absolute(traces)};
  for (ResultSource& source : paper.sources) check_source(source, folders, parser);
  for (const Claim& claim : paper.claims) check_claim(paper, claim);
  return paper;
}

std::vector<Paper> read_papers(const fs::path& folder, const fs::path& traces, CallParser parser) {
  std::set<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.insert(entry.path().string());
  if (files.empty()) throw ConfigError(folder.string(), "no claims: no file *.toml is there");
  std::vector<Paper> papers;
  for (const std::string& file : files) papers.push_back(read_paper(file, traces, parser));
  return papers;
}

}  // namespace gen
