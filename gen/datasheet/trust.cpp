// What is known of a unit: the co-simulation of the page, and the recorded outcome of its papers' claims.
#include <fmt/format.h>

#include <algorithm>

#include "gen/datasheet/recorded.h"
#include "gen/datasheet/sections.h"
#include "gen/files.h"
#include "gen/html.h"
#include "gen/paths.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

std::string unfolded(const std::string& summary, const std::string& body) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(summary), body);
}

std::string verification_page() { return read_file(paths::source() / "docs/verification.md"); }

std::string time_text(double seconds) {
  if (seconds >= 3600) return fmt::format("{:.1f} hours", seconds / 3600);
  return seconds >= 60 ? fmt::format("{:.1f} minutes", seconds / 60) : fmt::format("{:.1f} seconds", seconds);
}

// Time in lock step that is on record.
std::string lock_step_of(const Sheet& sheet) {
  const auto runs = recorded_runs(verification_page(), sheet.config.preset);
  if (!runs)
    return paragraph("Time in lock step: none is recorded beside the run of this page and the tests.");
  return paragraph(fmt::format(
      "Time in lock step of {}, as docs/verification.md records it: {}, {} cycles in {} runs of different "
      "seeds, "
      "without a mismatch. {}",
      sheet.config.preset, time_text(runs->seconds), runs->cycles, runs->runs,
      runs->goals_missed == 0 ? "Together they reached every coverage goal."
                              : fmt::format("Together they missed {} coverage goals.", runs->goals_missed)));
}

// Upsets of protected RAMs in the run of the page, array by array.
std::string upsets_of(const Sheet& sheet) {
  const Json& run = sheet.measured.cosim;
  if (!run.contains("upsets")) return "";
  HtmlTable table{.headings = {"protected array", "upsets", "masked", "corrected", "refetched", "detected",
                               "silent", "wrong without check"},
                  .rows = {},
                  .words = 1};
  for (const Json& array : run["upsets"]) {
    std::vector<std::string> row{array["array"].get<std::string>()};
    for (const char* count :
         {"upsets", "masked", "corrected", "refetched", "detected", "silent", "wrong_without_check"})
      row.push_back(array[count].dump());
    table.rows.push_back(row);
  }
  return paragraph(fmt::format("Upsets of protected RAMs in this run: bits flip at random times while every "
                               "byte of every load is checked. To count more of them: l1forge verify {} "
                               "--upsets 100000",
                               call_of(sheet.config))) +
         html(table);
}

// Properties that are proved of the unit or of a small shape of it.
std::string proofs_of(const Sheet& sheet) {
  HtmlTable table{
      .headings = {"property", "extent", "test"}, .rows = {}, .words = 3, .has_whole_words = true};
  for (const RecordedProof& proof : recorded_proofs(verification_page()))
    if (std::ranges::find(proof.presets, sheet.config.preset) != proof.presets.end())
      table.rows.push_back({proof.property, proof.extent, proof.test});
  if (table.rows.empty()) return paragraph("Proofs: none names this unit.");
  return paragraph(fmt::format("Proofs: {} of {}, by yosys and ABC, for all inputs. An injected fault breaks "
                               "each of them.",
                               table.rows.size() == 1
                                   ? "one property is proved"
                                   : fmt::format("{} properties are proved", table.rows.size()),
                               sheet.config.preset)) +
         html(table);
}

// Mutants that the fast tests' runs find, of the preset.
std::string scores_of(const Sheet& sheet) {
  const std::vector<RecordedScore> scores = recorded_scores(verification_page(), sheet.config.preset);
  const std::string repeat = fmt::format("To measure it: l1forge verify {}", call_of(sheet.config));
  if (scores.empty()) return paragraph("No mutation score is recorded. " + repeat);
  HtmlTable table{.headings = {"module", "mutants", "found", "equivalent", "left"}, .rows = {}, .words = 1};
  RecordedScore all;
  for (const RecordedScore& score : scores) {
    const int left = score.mutants - score.killed - score.equivalent;
    table.rows.push_back({score.module, fmt::format("{}", score.mutants), fmt::format("{}", score.killed),
                          fmt::format("{}", score.equivalent), fmt::format("{}", left)});
    all.mutants += score.mutants;
    all.killed += score.killed;
    all.equivalent += score.equivalent;
  }
  return paragraph(fmt::format(
             "Mutation score of {}, as docs/verification.md records it: {} of {} mutants that are not "
             "proved equivalent are found, {:.1f} %. {}",
             sheet.config.preset, all.killed, all.mutants - all.equivalent,
             100.0 * all.killed / std::max(1, all.mutants - all.equivalent), repeat)) +
         unfolded("Mutants by module", html(table));
}

}  // namespace

std::string verification_section(const Sheet& sheet) {
  const Json& run = sheet.measured.cosim;
  const Json& coverage = run["coverage"];
  std::string body;
  if (run["mismatches"].empty()) {
    body =
        paragraph(fmt::format("{} cycles of random stimulus, seed {}, ran in lock step with the golden "
                              "model. Every output was compared in "
                              "every cycle. There was no mismatch.",
                              run["cycles"].dump(), run["seed"].dump()));
  } else {
    const Json& first = run["mismatches"][0];
    body = paragraph(fmt::format("FAILED: in cycle {} {} differs from the golden model.",
                                 first["cycle"].dump(), first["port"].get<std::string>()));
  }
  body +=
      paragraph(fmt::format("The run is short, for the diagrams of this page: it reached {} of {} coverage "
                            "goals. Longer ones have to reach all: l1forge cosim {} --coverage",
                            coverage["reached"].dump(), coverage["goals"].dump(), call_of(sheet.config)));
  HtmlTable goals{.headings = {"coverage goal", "times reached"}, .rows = {}, .words = 1};
  for (const auto& [goal, times] : coverage["counts"].items()) goals.rows.push_back({goal, times.dump()});
  if (!goals.rows.empty()) body += unfolded("All coverage goals", html(goals));
  body += upsets_of(sheet) + lock_step_of(sheet) + proofs_of(sheet) + scores_of(sheet);
  return section("Verification status", body);
}

std::string claims_section(const Sheet& sheet) {
  const std::string page = read_file(paths::source() / "docs/results/claims.md");
  std::string body;
  for (const std::string& paper : papers_in(sheet.preset().source)) {
    const std::vector<RecordedClaim> claims = recorded_claims(page, paper);
    if (claims.empty()) continue;
    HtmlTable table{.headings = {"claim", "kind", "paper", "here", "holds", "why not"},
                    .rows = {},
                    .words = 6,
                    .has_whole_words = true};
    for (const RecordedClaim& claim : claims)
      table.rows.push_back(
          {claim.text, claim.kind, claim.paper, claim.here, claim.holds ? "yes" : "no", claim.why});
    body += unfolded(fmt::format("{}: {} of {} claims hold", paper,
                                 std::ranges::count_if(claims, &RecordedClaim::holds), claims.size()),
                     html(table));
  }
  if (body.empty()) body = paragraph("No claim of the unit's source is recorded.");
  return section(
      "Claims of the paper",
      paragraph("Outcomes as docs/results/claims.md records them; they are of the papers' whole proposals, "
                "not of this configuration alone.") +
          body);
}

}  // namespace gen
