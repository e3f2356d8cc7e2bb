#include "gen/site/site_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "gen/charts/vega.h"
#include "gen/config/catalogue.h"
#include "gen/files.h"
#include "gen/html.h"
#include "gen/paths.h"
#include "gen/site/area_rows.h"
#include "gen/site/configurations.h"
#include "gen/site/markdown.h"
#include "gen/with_commas.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr const char* site_style = R"(<style>
nav { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: baseline; margin-bottom: 1rem; }
nav form { margin-left: auto; }
input, select { font: inherit; max-width: 100%; }
img { max-width: 100%; height: auto; background: #fff; }
li { overflow-wrap: anywhere; }
</style>
)";

// What the explorer compares.
ComparisonChart recorded_comparison() {
  ComparisonChart out{.keys = {"tags", "index", "bypass", "bytes", "ways"},
                      .has_bars = false,
                      .colour = "tags",
                      .across = "bits stored",
                      .up = "miss rate"};
  for (const auto& recorded : recorded_configurations()) {
    ComparedPoint& point = out.points.emplace_back(ComparedPoint{recorded["name"], recorded["command"]});
    point.from = recorded["from"];
    for (const std::string& key : out.keys) point.keys[key] = recorded[key];
    point.figures[""] = recorded["figures"];
    for (const auto& [name, figure] : recorded["figures"].items())
      if (std::ranges::find(out.figures, name, &ComparedFigure::name) == out.figures.end())
        out.figures.push_back({.name = name, .title = name});
  }
  return out;
}

// Where a file of the repository is in the site; empty where it is not.
std::string site_file(const fs::path& file) {
  const std::string name = file.generic_string();
  if (name == "README.md") return "readme.html";
  if (name == "CONTRIBUTING.md") return "contributing.html";
  if (!name.starts_with("docs/")) return "";
  const std::string inner = name.substr(5), extension = file.extension();
  if (file.filename() == "README.md") return fs::path(inner).replace_filename("index.html").generic_string();
  if (extension == ".md") return fs::path(inner).replace_extension(".html").generic_string();
  if (extension == ".svg") return inner;
  return extension == ".toml" || extension == ".csv" || extension == ".sv" || extension == ".txt"
             ? inner + ".html"
             : "";
}

std::string relative_to(const std::string& page, const std::string& file) {
  return fs::path(file).lexically_relative(fs::path(page).parent_path()).generic_string();
}

std::string markdown_page(const fs::path& file, const std::set<fs::path>& files, const Origin& origin) {
  const std::string page = site_file(file);
  const auto target = [&](const std::string& link) -> std::optional<std::string> {
    if (link.starts_with("#")) return link;
    const std::size_t anchor = std::min(link.find('#'), link.size());
    fs::path to = (file.parent_path() / link.substr(0, anchor)).lexically_normal();
    if (!to.has_filename()) to = to.parent_path();
    if (files.contains(to / "README.md")) to /= "README.md";
    if (!files.contains(to)) return std::nullopt;
    return relative_to(page, site_file(to)) + link.substr(anchor);
  };
  std::string body = html_of_markdown(read_file(paths::source() / file), target);
  std::string title = file.stem();
  if (const std::size_t end = body.find("</h1>"); body.starts_with("<h1 ") && end != std::string::npos) {
    title = text_of_html(body.substr(0, end));
    body.erase(0, end + 5);
  }
  return html_page(title, body, origin);
}

std::string script(const std::string& name) { return read_file(paths::source() / "gen/site" / name); }

}  // namespace

std::string with_navigation(const std::string& page, const std::string& file) {
  std::string links;
  for (const auto& [to, words] : {std::pair{"index.html", "Catalogue"},
                                  {"explorer.html", "Explorer"},
                                  {"results/claims.html", "Claims"},
                                  {"results/index.html", "Results"},
                                  {"contracts/index.html", "Contracts"},
                                  {"readme.html", "Documentation"}})
    links += fmt::format("<a href=\"{}\">{}</a>\n", relative_to(file, to), words);
  links += fmt::format(
      "<form action=\"{}\"><input type=\"search\" name=\"q\" aria-label=\"Search\" "
      "placeholder=\"Search\"></form>\n",
      relative_to(file, "search.html"));
  std::string whole = with_linked_library(page, relative_to(file, "vega.js"));
  whole.insert(whole.find("</head>"), site_style);
  whole.insert(whole.find("<body>\n") + 7, "<nav>\n" + links + "</nav>\n");
  return whole;
}

SiteFiles documentation_pages(const Origin& origin) {
  std::set<fs::path> files{"README.md", "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(paths::source() / "docs"))
    if (const fs::path file = entry.path().lexically_relative(paths::source());
        entry.is_regular_file() && !site_file(file).empty())
      files.insert(file);
  SiteFiles pages;
  for (const fs::path& file : files) {
    const std::string page = site_file(file);
    if (file.extension() == ".md")
      pages[page] = with_navigation(markdown_page(file, files, origin), page);
    else if (file.extension() == ".svg")
      pages[page] = read_file(paths::source() / file);
    else
      pages[page] = with_navigation(
          html_page(file.generic_string(),
                    "<pre><code>" + escaped(read_file(paths::source() / file)) + "</code></pre>\n", origin),
          page);
  }
  return pages;
}

namespace {

std::string gates_text(double gates) {
  return with_commas(fmt::format("{:.{}f}", gates, gates < 1000 ? 1 : 0));
}

// Units under a heading of their own.
struct CatalogueGroup {
  std::string heading, doc;
  std::string rows = {};

  std::string html() const {
    return fmt::format(
        "<h2>{}</h2>\n{}<table>\n<thead><tr><th scope=\"col\">unit</th><th scope=\"col\">purpose</th>"
        "<th scope=\"col\">source</th><th scope=\"col\">GE</th><th scope=\"col\">longest path, ns</th></tr>"
        "</thead>\n<tbody>\n{}</tbody>\n</table>\n",
        escaped(heading), doc.empty() ? "" : "<p>" + escaped(doc) + ".</p>\n", rows);
  }
};

}  // namespace

std::string catalogue_page(const std::map<std::string, std::string>& datasheets, const Origin& origin) {
  const std::map<std::string, AreaRow> areas = area_rows();
  std::vector<CatalogueGroup> groups;
  CatalogueGroup others{"Other units", ""};
  const Family* family = nullptr;
  for (const Preset& preset : presets()) {
    const bool alone = std::ranges::count(presets(), preset.family, &Preset::family) == 1;
    if (!alone && preset.family != family)
      groups.push_back({capital(preset.family->name), capital(preset.family->doc)});
    family = preset.family;
    const auto sheet = datasheets.find(preset.name);
    const std::string name = sheet == datasheets.end()
                                 ? preset.name
                                 : fmt::format("<a href=\"{}\">{}</a>", sheet->second, preset.name);
    const auto area = areas.find(preset.name);
    (alone ? others : groups.back()).rows += fmt::format(
        "<tr><th scope=\"row\" style=\"white-space:nowrap\">{}</th><td class=\"word\" "
        "data-label=\"purpose\">{}</td>"
        "<td class=\"word\" data-label=\"source\">{}</td><td data-label=\"GE\">{}</td>"
        "<td data-label=\"longest path, ns\">{}</td></tr>\n",
        name, escaped(preset.doc), escaped(preset.source),
        area == areas.end() ? "-" : gates_text(area->second.gate_equivalents),
        area == areas.end() ? "-" : fmt::format("{:.2f}", area->second.path_ns));
  }
  groups.push_back(others);
  std::string body =
      "<p>Units of the catalogue with their gates (GE, without RAMs) and longest paths, as "
      "synth-scripts/area.csv records them. Names lead to datasheets. l1forge site -o DIR --only NAME adds "
      "the datasheet of a unit.</p>\n";
  for (const CatalogueGroup& group : groups) body += group.html();
  return with_navigation(html_page("Catalogue", body, origin), "index.html");
}

SiteFiles tool_pages(const Origin& origin) {
  const std::string explorer =
      "<p>Caches of the catalogue, and configurations with stored results of "
      "<a href=\"results/pareto.html\">the study of a thousand caches</a>: geometric means over twelve "
      "kernels. Point at a mark to see its command, choose it to see its figures.</p>\n" +
      html_comparison(recorded_comparison());
  const std::string search =
      "<form><input type=\"search\" name=\"q\" id=\"query\" aria-label=\"Search\"></form>\n<p "
      "id=\"count\"></p>\n"
      "<div id=\"found\"></div>\n"
      "<script src=\"search-index.js\"></script>\n<script src=\"search.js\"></script>\n";
  return {{"explorer.html", with_navigation(html_page("Explorer", explorer, origin), "explorer.html")},
          {"vega.js", vega_script()},
          {"search.html", with_navigation(html_page("Search", search, origin), "search.html")},
          {"search.js", script("search.js")}};
}

std::string search_index(const SiteFiles& files) {
  auto entries = nlohmann::ordered_json::array();
  for (const auto& [file, text] : files) {
    if (!file.ends_with(".html") || file == "search.html") continue;
    const std::size_t begin = text.find("<h1>"), end = text.find("</h1>");
    const std::string title = text_of_html(text.substr(begin, end - begin));
    const std::size_t last = text.find("<h2>How this page was made</h2>");
    for (const HtmlSection& section : sections_of_html(text.substr(end, last - end))) {
      const std::string at = section.anchor.empty() ? file : file + "#" + section.anchor;
      entries.push_back({section.heading.empty() ? title : title + ": " + section.heading, at, section.text});
    }
  }
  return "const search_index = " + entries.dump() + ";\n";
}

}  // namespace gen
