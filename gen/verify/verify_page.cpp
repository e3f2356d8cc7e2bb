// The page of `l1forge verify`: each module with survivors, its Verilog, and beside a line what it became.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "gen/html.h"
#include "gen/print_verilog.h"
#include "gen/verify/verify_report.h"

namespace gen {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The first and the last line in which the texts differ.
struct Difference {
  std::size_t first = 0, sound_end = 0, faulty_end = 0;
};

Difference difference(const std::vector<std::string>& sound, const std::vector<std::string>& faulty) {
  const auto [a, b] = std::ranges::mismatch(sound, faulty);
  Difference d{static_cast<std::size_t>(a - sound.begin()), sound.size(), faulty.size()};
  while (d.sound_end > d.first && d.faulty_end > d.first &&
         sound[d.sound_end - 1] == faulty[d.faulty_end - 1])
    --d.sound_end, --d.faulty_end;
  return d;
}

// Of a reset value the comment over the block differs, too; the lines at the end are meant.
std::string becomes(const std::vector<std::string>& faulty, const Difference& d) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = d.faulty_end - std::min(most, d.faulty_end - d.first); i < d.faulty_end; ++i)
    text += faulty[i] + "\n";
  return text;
}

std::string marked_verilog(const rtl::Module& module, const std::vector<const JudgedMutant*>& left) {
  const std::vector<std::string> sound = lines_of(verilog(module));
  std::map<std::size_t, std::string> behind;  // a line: what stands behind it
  for (const JudgedMutant* m : left) {
    const std::vector<std::string> faulty = lines_of(faulty_text(module, m->mutant.fault));
    const Difference d = difference(sound, faulty);
    behind[std::max(d.sound_end, d.first + 1) - 1] += fmt::format(
        "<mark><strong>{}: {}: {}</strong>\n{}</mark>", m->fate == Fate::survived ? "survived" : "unknown",
        escaped(m->mutant.net), escaped(m->mutant.change), escaped(becomes(faulty, d)));
  }
  std::string text;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const auto found = behind.find(i);
    text += found == behind.end() ? escaped(sound[i]) + "\n"
                                  : fmt::format("<mark>{}</mark>\n{}", escaped(sound[i]), found->second);
  }
  return "<pre><code>" + text + "</code></pre>\n";
}

HtmlTable survivors(const std::vector<const JudgedMutant*>& left) {
  HtmlTable table{.headings = {"net", "change", "line", "decision"}, .rows = {}, .words = 4};
  for (const JudgedMutant* m : left)
    table.rows.push_back({m->mutant.net, m->mutant.change,
                          fmt::format("{}:{}", m->mutant.file, m->mutant.line),
                          m->fate == Fate::survived ? "survived" : "unknown"});
  return table;
}

}  // namespace

std::string verify_page(const rtl::Module& top, const std::vector<ModuleScore>& scores) {
  std::map<std::string, rtl::Module> modules;
  for (const rtl::Module& m : rtl::modules_of(top)) modules.emplace(m.name(), m);
  std::string page;
  for (const ModuleScore& s : scores) {
    std::vector<const JudgedMutant*> left = s.survived;
    left.insert(left.end(), s.unknown.begin(), s.unknown.end());
    if (left.empty()) continue;
    page += fmt::format("<h2>{}</h2>\n", escaped(s.module)) + html(survivors(left)) +
            marked_verilog(modules.at(s.module), left);
  }
  return page;
}

}  // namespace gen
