#include "gen/claims/claims_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/claims/results.h"
#include "gen/config/text.h"
#include "gen/shell_line.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* not_examined = "not examined";

struct Count {
  std::size_t all = 0, holds = 0, stored = 0;
  void add(const ComparedClaim& claim) {
    ++all;
    holds += claim.outcome.holds;
    stored += claim.stored;
  }
};

std::string why_not(const ComparedClaim& claim) {
  if (claim.outcome.holds) return "";
  return claim.claim->why.empty() ? not_examined : claim.claim->why;
}

// A stroke would end the cell.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

// Behind the claim, in its cell.
std::string quoted(const Claim& claim) {
  return claim.words.empty() ? "" : fmt::format("<br>*\"{}\"*", cell(claim.words));
}

// A study or a command for each of the claim's results.
std::vector<std::string> measures_of(const Paper& paper, const Claim& claim) {
  std::vector<std::string> names;
  for (const std::string& result : claim.comparison.results()) {
    const ResultSource& source = *std::ranges::find(paper.sources, result, &ResultSource::name);
    std::string name = source.study.empty() ? source.command : source.study;
    if (!source.unit.empty()) name = "gen " + source.unit;
    if (!source.run.empty()) name = joined(source.run, " ");
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string line_of_source(const ResultSource& source) {
  std::string settings;
  for (const std::string& setting : source.settings) settings += " -s " + shell_word(setting);
  std::string run;
  for (const std::string& word : source.run) run += " " + shell_word(word);
  if (!source.unit.empty())
    return fmt::format("now, `l1forge gen {}{}`, its manifest", source.unit, settings);
  if (!source.run.empty()) return fmt::format("now, `l1forge{}`", run);
  return fmt::format("stored in [{}]({}), again by {}", source.file, "../claims/" + source.file,
                     source.command);
}

std::string table_of_paper(const ComparedPaper& of) {
  std::string out = fmt::format("\n## {}\n", of.paper->name);
  out +=
      "| claim | kind | paper | here | holds | why not | figures |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ComparedClaim& c : of.claims)
    out += fmt::format("| <a id=\"{}\"></a>{}: {}{} | {} | {} | {} | {} | {} | {} {} |\n", c.claim->id,
                       cell(c.claim->section), cell(c.claim->text), quoted(*c.claim), c.claim->kind,
                       cell(c.outcome.expected_text), cell(c.outcome.value_text),
                       c.outcome.holds ? "yes" : "no", cell(why_not(c)),
                       c.stored ? "stored:" : "now:", joined(c.claim->comparison.results(), ", "));
  out += "\nFigures:\n";
  for (const ResultSource& source : of.paper->sources)
    out += fmt::format("- *{}*: {}\n", source.name, line_of_source(source));
  return out;
}

using Counts = std::vector<std::pair<std::string, Count>>;

// The kinds come first in their own order, whether there are claims of them or not; then those without one.
Counts by_kind(const std::vector<ComparedPaper>& papers) {
  Counts counts;
  for (const std::string& kind : claim_kinds()) counts.emplace_back(kind, Count{});
  for (const ComparedPaper& paper : papers)
    for (const ComparedClaim& claim : paper.claims) {
      auto of = std::ranges::find(counts, claim.claim->kind, &Counts::value_type::first);
      if (of == counts.end()) of = counts.insert(of, {claim.claim->kind, {}});
      of->second.add(claim);
    }
  return counts;
}

std::string totals(const std::vector<ComparedPaper>& papers) {
  Counts by_relation, by_paper;
  Count all, sized;
  for (const ComparedPaper& paper : papers) {
    by_paper.emplace_back(paper.paper->name, Count{});
    for (const ComparedClaim& claim : paper.claims) {
      const std::string relation = claim.claim->comparison.relation();
      auto of = std::ranges::find(by_relation, relation, &Counts::value_type::first);
      if (of == by_relation.end()) of = by_relation.insert(by_relation.end(), {relation, {}});
      of->second.add(claim);
      by_paper.back().second.add(claim);
      if (claim.claim->sized) sized.add(claim);
      all.add(claim);
    }
  }
  std::string out = "| | claims | hold | do not | of stored figures |\n| --- | ---: | ---: | ---: | ---: |\n";
  const auto line = [&](const std::string& name, const Count& c) {
    out += fmt::format("| {} | {} | {} | {} | {} |\n", name, c.all, c.holds, c.all - c.holds, c.stored);
  };
  for (const auto& [name, count] : by_kind(papers)) line(name, count);
  for (const auto& [name, count] : by_paper) line("**" + name + "**", count);
  for (const auto& [name, count] : by_relation) line("*" + name + "*", count);
  line("with the paper's size", sized);
  line("**all**", all);
  return out;
}

}  // namespace

std::vector<ComparedPaper> compared(const std::vector<Paper>& papers) {
  std::vector<ComparedPaper> out;
  for (const Paper& paper : papers) {
    Json results = Json::object();
    for (const ResultSource& source : paper.sources) results[source.name] = figures_of(source);
    out.push_back({&paper, {}});
    for (const Claim& claim : paper.claims) {
      const bool stored = std::ranges::any_of(claim.comparison.results(), [&](const std::string& name) {
        return !std::ranges::find(paper.sources, name, &ResultSource::name)->file.empty();
      });
      out.back().claims.push_back({&claim, claim.comparison.over(results), stored});
    }
  }
  return out;
}

std::string claims_markdown(const std::vector<ComparedPaper>& papers) {
  std::string out =
      "# Which claims of the papers hold\n"
      "`l1forge claims` writes this page. It compares every claim of [docs/claims](../claims/README.md) with "
      "figures that it computes at once or that are stored there. An expected figure such as *more (13.4 %)* "
      "compares the side of zero alone; the size is for information. Words in italics are the paper's own, "
      "with "
      "... for words that are left out. "
      "[coverage.md](coverage.md) has every figure and table of the papers.\n\n"
      "A claim of the kind *arithmetic* compares formulas of the paper with formulas here and could hardly "
      "fail. The other kinds need a unit that is built or a run.\n\n";
  out += totals(papers);
  for (const ComparedPaper& paper : papers) out += table_of_paper(paper);
  return out;
}

Json claims_json(const std::vector<ComparedPaper>& papers) {
  Json list = Json::array();
  for (const ComparedPaper& paper : papers)
    for (const ComparedClaim& c : paper.claims) {
      Json& item = list.emplace_back(Json{{"id", c.claim->id},
                                          {"paper", paper.paper->name},
                                          {"section", c.claim->section},
                                          {"claim", c.claim->text},
                                          {"kind", c.claim->kind},
                                          {"relation", c.claim->comparison.relation()},
                                          {"expected", c.outcome.expected},
                                          {"value", c.outcome.value},
                                          {"holds", c.outcome.holds},
                                          {"stored", c.stored}});
      if (!c.claim->words.empty()) item["quote"] = c.claim->words;
      item["sized"] = c.claim->sized;
      item["measured_by"] = measures_of(*paper.paper, *c.claim);
      if (!c.outcome.holds) item["why"] = why_not(c);
      if (!c.outcome.holds && !c.claim->experiment.empty()) item["experiment"] = c.claim->experiment;
    }
  Json kinds = Json::object();
  for (const auto& [kind, count] : by_kind(papers))
    kinds[kind] = {{"claims", count.all}, {"holds", count.holds}};
  return {{"claims", list}, {"kinds", kinds}};
}

}  // namespace gen
