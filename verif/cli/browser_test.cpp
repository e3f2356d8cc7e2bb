// Pages and pictures as a browser lays them out, on a wide screen and a telephone's: no error on the console,
// nothing beyond the screen or its picture, no words over others or too small to be read.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <regex>

#include "gen/area/picture.h"
#include "gen/files.h"
#include "gen/timeline.h"
#include "verif/cli/run_l1forge.h"
#include "verif/full_tier.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

// Looks at the page when it has been laid out, and leaves its complaints in the title.
constexpr const char* look = R"(<script>
const wrong = [], told = (what, e) => wrong.push(what + ": " + e.textContent.trim().slice(0, 40));
const inside = (a, b) =>
  a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
const screen_box = {left: 0, top: 0, right: innerWidth, bottom: 1e9};
if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen");
for (const e of performance.getEntriesByType("resource"))
  if (!e.name.startsWith("file:")) wrong.push("requests " + e.name);
const words =
  [...document.querySelectorAll("svg text, h1, h2, p, pre, th, td")].filter(e => e.getClientRects().length);
for (const e of words) {
  const box = e.getBoundingClientRect(), svg = e.closest("svg");
  if (!inside(box, screen_box)) told("beyond the screen", e);
  if (svg && !inside(box, svg.getBoundingClientRect())) told("cut", e);
  if (e.scrollWidth > e.clientWidth + 1 && !svg) told("cut", e);
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const size = scale * parseFloat(getComputedStyle(e).fontSize);
  if (size < 8) told("too small, " + size, e);
}
const boxes = words.filter(e => !e.querySelector("p, pre, th, td")).map(e => [e, e.getBoundingClientRect()]);
boxes.sort((a, b) => a[1].top - b[1].top);
for (let i = 0; i < boxes.length; ++i)
  for (let j = i + 1; j < boxes.length && boxes[j][1].top < boxes[i][1].bottom - 3; ++j) {
    const [a, b] = [boxes[i][1], boxes[j][1]];
    if (a.left < b.right - 2 && b.left < a.right - 2) told("over " + boxes[i][0].textContent.slice(0, 40), boxes[j][0]);
  }
const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number); return 0.3 * r + 0.6 * g + 0.1 * b; };
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
for (const e of words)
  if (!e.closest("svg") && getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
      (light(getComputedStyle(e).color) < 128) === dark)
    told("unreadable on its ground", e);
document.title = "looked at " + words.length + " words: " + wrong.join("; ");
</script>)";

std::string browser() {
  try {
    return gen::find_tool("chromium-headless-shell").string();
  } catch (const gen::ToolError&) {
    return "";
  }
}

enum class Scheme { dark = 0, light = 1 };  // as the browser numbers them

// What the browser and the script in the page say, for a screen of that width.
std::string browsed(const std::filesystem::path& page, int width, Scheme scheme) {
  const gen::TempDir folder("browser");
  const auto done =
      gen::run({.argv = {browser(), "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                         fmt::format("--window-size={},1000", width),
                         fmt::format("--blink-settings=preferredColorScheme={}", static_cast<int>(scheme)),
                         "--user-data-dir=" + (folder / "profile").string(), "--virtual-time-budget=3000",
                         "--dump-dom", "file://" + page.string()},
                .timeout = std::chrono::minutes(3)});
  EXPECT_TRUE(done.ok()) << done.output;
  EXPECT_THAT(done.output, testing::Not(HasSubstr("CONSOLE")));
  const std::size_t at = done.output.find("<title>looked at ");
  return at == std::string::npos ? done.output
                                 : done.output.substr(at + 7, done.output.find("</title>", at) - at - 7);
}

std::string looked_at(const std::string& page, int width, Scheme scheme = Scheme::light) {
  const gen::TempDir folder("browser");
  gen::write_file_atomically(folder / "page.html", page + look);
  return browsed(folder / "page.html", width, scheme);
}

void expect_readable(const std::string& page) {
  for (const int width : {1280, 400})
    EXPECT_THAT(looked_at(page, width), testing::MatchesRegex("looked at [1-9][0-9]* words: ")) << width;
}

std::string unfolded(const std::string& page) {
  return std::regex_replace(page, std::regex("<details>"), "<details open>");
}

// A page of a site, among its other files.
std::string looked_at_in(const verif::TempFolder& site, const std::string& file, int width, Scheme scheme) {
  const std::filesystem::path changed = std::filesystem::path(file).parent_path() / "looked_at.html";
  gen::write_file_atomically(site.path(changed), unfolded(site.content(file)) + look);
  return browsed(site.path(changed), width, scheme);
}

// With everything unfolded, words must contrast with the page's ground.
void expect_readable_in_both_schemes(const std::string& page) {
  const std::string open = unfolded(page);
  for (const Scheme scheme : {Scheme::light, Scheme::dark})
    for (const int width : {1280, 400})
      EXPECT_THAT(looked_at(open, width, scheme), testing::MatchesRegex("looked at [1-9][0-9]* words: "))
          << width << " dark " << (scheme == Scheme::dark);
}

std::string picture_page(const std::string& svg) {
  return "<!DOCTYPE html><html><head><title></title></head><body style=\"margin:0\">" + svg +
         "</body></html>";
}

std::string page_of(std::vector<std::string> arguments) {
  const gen::TempDir folder("browser");
  arguments.insert(arguments.begin(), "explore");
  arguments.insert(arguments.end(), {"--html", (folder / "a.html").string()});
  const auto done = verif::l1forge(arguments);
  EXPECT_TRUE(done.ok()) << done.output;
  return gen::read_file(folder / "a.html");
}

class Browser : public testing::Test {
 protected:
  void SetUp() override {
    if (browser().empty())
      GTEST_SKIP() << "no browser: apt-get install --no-install-recommends chromium-headless-shell";
  }
};

const std::string bundled = verif::in_source("verif/traces/");

}  // namespace

TEST_F(Browser, PageOfCaches) {
  expect_readable(
      page_of({"l1d", "l1d_tsc", "l1d_adi", "--untimed", "--sms", "2", "--trace",
               bundled + "atax256_first_warps.rec.xz", bundled + "streamcluster_two_launches.rec.xz", "-s",
               "adaptive.period=250", "-s", "adaptive.counter_bits=8", "-s", "adaptive.idle=1000"}));
}

TEST_F(Browser, PageOfASystem) {
  for (const char* system : {"fermi_tsc", "volta4"})
    expect_readable(page_of({"l1d", "l1d_tsc", "--system", system, "--trace", "builtin:triad?elements=8192",
                             "builtin:spmv?side=12"}));
}

TEST_F(Browser, DatasheetsOfSmallUnits) {
  const verif::TempFolder folder;
  const auto done = verif::l1forge(
      {"datasheet", "arbiter_round_robin", "index_pli", "crossing_fifo", "-o", folder.path("sheets")});
  ASSERT_TRUE(done.ok()) << done.output;
  for (const std::string unit : {"arbiter_round_robin", "index_pli", "crossing_fifo"})
    expect_readable_in_both_schemes(folder.content("sheets/" + unit + ".html"));
}

TEST_F(Browser, PagesOfASite) {
  const verif::TempFolder site;
  ASSERT_TRUE(verif::l1forge({"site", "--only", "index_pli", "-o", site.path("")}).ok());
  std::vector<std::string> files{"index.html", "explorer.html", "search.html", "datasheets/index_pli.html"};
  if (verif::full_tier())
    for (const char* more : {"readme.html", "contracts/l1d.html", "results/pareto.html",
                             "results/claims.html", "studies/pareto.toml.html"})
      files.emplace_back(more);
  for (const std::string& file : files)
    for (const Scheme scheme : {Scheme::light, Scheme::dark})
      for (const int width : {1280, 400})
        EXPECT_THAT(looked_at_in(site, file, width, scheme),
                    testing::MatchesRegex("looked at [1-9][0-9]* words: "))
            << file << " " << width << " dark " << (scheme == Scheme::dark);
}

TEST_F(Browser, DatasheetOfACache) {
  if (!verif::full_tier()) GTEST_SKIP() << "minutes of synthesis";
  const verif::TempFolder folder;
  ASSERT_TRUE(verif::l1forge({"datasheet", "l1d", "-o", folder.path("sheets")}).ok());
  expect_readable_in_both_schemes(folder.content("sheets/l1d.html"));
}

TEST_F(Browser, PageOfAStudy) {
  const verif::TempFolder folder;
  const std::string study = folder.write(
      "sizes.toml",
      "[grid.sizes]\nunit = \"l1d\"\nkeys.geometry.capacity_bytes = [4096, 16384, 32768]\n"
      "keys.index.kind = [\"cvi\", \"pli\"]\n[inputs]\n"
      "traces = [\"builtin:kmeans?points=500\", \"" +
          bundled +
          "atax256_first_warps.rec.xz\"]\n[measure.untimed]\n[pareto.misses]\ncost = \"bits\"\n"
          "value = \"untimed.miss_rate\"\n[check.bits]\nvalue = \"min(bits)\"\nrelation = \"direction\"\n"
          "expected = \"more\"\n");
  const auto done = verif::l1forge({"study", study, "-o", folder.path("out")});
  EXPECT_TRUE(done.ok()) << done.output;
  expect_readable(folder.content("out/study.html"));
}

TEST_F(Browser, CourseWithAHundredThousandChanges) {
  std::mt19937 draw(1);
  golden::History sel{.name = "adi_history", .key = "sel", .title = "address bits in the index"};
  golden::History mode{.name = "mode_history", .key = "mode", .title = "mode", .words = {"fine", "coarse"}};
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    sel.note(10 * i, std::vector<int>{static_cast<int>(7 + draw() % 3), static_cast<int>(10 + draw() % 4)});
    mode.note(10 * i, static_cast<int>(draw() % 2));
  }
  const std::vector<golden::Timeline::Part> parts(200, {.loads = 5000, .misses = 2000});
  const std::vector<golden::History> histories{sel, mode};
  gen::Chart chart("Miss rate in the course of a run");
  gen::draw_timeline(chart, "a trace", {{"l1d_adi", gen::colour_of(0), &parts, &histories}});
  const std::string svg = gen::picture_of(chart);
  EXPECT_LT(svg.size(), 400'000u) << "a browser has to draw it";
  EXPECT_THAT(svg, HasSubstr("darker: for more of the time"));
  expect_readable(picture_page(svg));
}

TEST_F(Browser, PictureOfAreas) {
  gen::AreaReport report{.library =
                             "osu018 of Debian's qflow-tech-osu018, with three areas taken from its layouts"};
  for (const auto& [name, beside] :
       {std::pair{"l1d_tsc", false}, {"l1d_sectored with the same geometry", true}}) {
    gen::AreaFigure figure{.name = name, .orders = {}, .beside = beside};
    for (const double more : {0.0, 3456.0}) {
      gen::AreaResult& result = figure.orders.emplace_back();
      result.gate_equivalents = 123'456 + more;
      result.path_ns = 3.21 + more / 10'000;
    }
    report.figures.push_back(figure);
  }
  report.published = {{"another cache of 16 KiB, 4 ways, 32 MSHRs, without its RAMs", 185'635, 2.8}};
  for (int i = 0; i < 30; ++i)
    report.parts.push_back({fmt::format("part_{}", i), 40'000.0 / (i * i + 1), 100 - i});
  const std::string svg = gen::area_svg(report);
  for (const char* words : {"beside: l1d_sectored", "published: another cache", "part_0", "smaller parts"})
    EXPECT_THAT(svg, HasSubstr(words));
  expect_readable(picture_page(svg));
}

TEST_F(Browser, TheScriptSeesWhatIsWrong) {
  EXPECT_THAT(looked_at(picture_page("<p style=\"width:900px\">wide</p>"), 400),
              HasSubstr("wider than the screen"));
  EXPECT_THAT(looked_at(picture_page("<p>one</p><p style=\"margin-top:-34px\">two</p>"), 400),
              HasSubstr("over one: two"));
  EXPECT_THAT(
      looked_at(picture_page(
                    "<svg viewBox=\"0 0 100 20\" width=\"100\"><text x=\"90\" y=\"15\">words</text></svg>"),
                400),
      HasSubstr("cut: words"));
}
