#include "gen/cosim/user_verilog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>

#include "gen/config/error.h"
#include "gen/delivered.h"
#include "gen/files.h"
#include "gen/ports.h"
#include "gen/unit/unit.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

// Words and signs of a Verilog text one by one, without comments and strings.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : rest_(text) {}

  // Empty at the end.
  std::string_view next() {
    while (pass_blank() || pass("//", "\n") || pass("/*", "*/") || pass("\"", "\"")) {
    }
    std::size_t size = 0;
    while (size < rest_.size() && is_word(rest_[size])) ++size;
    const std::string_view token = rest_.substr(0, std::max<std::size_t>(size, 1));
    rest_.remove_prefix(token.size());
    return token;
  }

 private:
  static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
  bool pass_blank() {
    const std::size_t blanks = std::min(rest_.find_first_not_of(" \t\r\n\f"), rest_.size());
    rest_.remove_prefix(blanks);
    return blanks > 0;
  }
  bool pass(std::string_view begin, std::string_view end) {
    if (!rest_.starts_with(begin)) return false;
    const std::size_t at = rest_.find(end, begin.size());
    rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + end.size());
    return true;
  }

  std::string_view rest_;
};

// What the header of the module names. Nothing where macros or included files may name more.
struct Header {
  bool found = false;
  std::optional<std::set<std::string_view>> names = {};
};

Header header_of(std::string_view text, std::string_view module) {
  Tokens tokens(text);
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token != "module" && token != "macromodule") continue;
    if (tokens.next() != module) continue;
    std::set<std::string_view> names;
    for (token = tokens.next(); !token.empty() && token != ";"; token = tokens.next()) {
      if (token == "`") return {true, std::nullopt};
      names.insert(token);
    }
    return {true, names};
  }
  return {};
}

void check_ports(const rtl::Module& module, const std::string& file, const std::string& text) {
  const std::string flag = "--verilog " + file;
  const std::string name = delivered_name(module);
  const Header header = header_of(text, name);
  if (!header.found && text.find('`') == text.npos)
    throw ConfigError(flag, fmt::format("has no module {}", name));
  if (!header.names) return;
  std::vector<std::string> missing, parameters;
  for (const rtl::Parameter& p : module.data().parameters)
    if (!header.names->contains(p.name)) parameters.push_back(p.name);
  if (!parameters.empty())
    throw ConfigError(flag, fmt::format("module {} lacks parameter{} {}", name,
                                        parameters.size() > 1 ? "s" : "", fmt::join(parameters, ", ")));
  for (const Port& p : ports_of(module))
    if (!header.names->contains(p.name)) missing.push_back(p.name);
  if (!missing.empty())
    throw ConfigError(
        flag, fmt::format("module {} lacks port{} {}; it must have all that the generated one has", name,
                          missing.size() > 1 ? "s" : "", fmt::join(missing, ", ")));
}

}  // namespace

void take_user_verilog(const rtl::Module& top, const std::vector<std::string>& files,
                       std::map<std::string, std::string>& verilog) {
  std::map<std::string, std::string> by_name;
  for (const std::string& file : files) {
    const std::string name = std::filesystem::path(file).filename().string();
    if (!verilog.contains(name))
      throw ConfigError("--verilog " + file, fmt::format("{} has no file of that name; it has {}", top.name(),
                                                         fmt::join(std::views::keys(verilog), ", ")));
    if (!by_name.emplace(name, file).second)
      throw ConfigError("--verilog " + file, fmt::format("a second {}; give one", name));
  }
  for (const rtl::Module& module : rtl::modules_of(top))
    if (const auto found = by_name.find(delivered_name(module) + ".v"); found != by_name.end())
      check_ports(module, found->second, verilog[found->first] = read_file(found->second));
}

}  // namespace gen
