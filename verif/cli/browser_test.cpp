// Pages and pictures as a browser lays them out, on a wide screen and a telephone's: no error on the console,
// nothing beyond the screen or its picture, no words over others or too small to be read.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "gen/area/picture.h"
#include "gen/charts/timeline.h"
#include "gen/files.h"
#include "verif/cli/browser.h"
#include "verif/cli/chart_reader.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;
using verif::browser, verif::looked_at, verif::looked_at_in, verif::Scheme, verif::unfolded;

void expect_readable(const std::string& page) {
  for (const int width : {1280, 400})
    EXPECT_THAT(looked_at(page, width), testing::MatchesRegex("looked at [1-9][0-9]* words: ")) << width;
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
    if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
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

TEST_F(Browser, PageOfAProfile) {
  const verif::TempFolder folder;
  const auto done = verif::l1forge(
      {"trace", "builtin:gemm?ni=64,nj=64,nk=64", "--profile", "--html", folder.path("profile.html")});
  ASSERT_TRUE(done.ok()) << done.output;
  expect_readable(folder.content("profile.html"));
}

TEST_F(Browser, DatasheetsOfSmallUnits) {
  const verif::TempFolder folder;
  const auto done = verif::l1forge(
      {"datasheet", "arbiter_round_robin", "index_pli", "crossing_fifo", "-o", folder.path("sheets")});
  ASSERT_TRUE(done.ok()) << done.output;
  for (const std::string unit : {"arbiter_round_robin", "index_pli", "crossing_fifo"})
    expect_readable_in_both_schemes(folder.content("sheets/" + unit + ".html"));
}

// Eight of them, the longer ones in one scheme on each screen; every page: site_full_test.
TEST_F(Browser, PagesOfASite) {
  const verif::TempFolder site;
  ASSERT_TRUE(verif::l1forge({"site", "--only", "index_pli", "-o", site.path("")}).ok());
  const auto look_at = [&](const std::string& file, int width, Scheme scheme) {
    EXPECT_THAT(looked_at_in(site.path(""), file, width, scheme),
                testing::MatchesRegex("looked at [1-9][0-9]* words: "))
        << file << " " << width << " dark " << (scheme == Scheme::dark);
  };
  for (const char* file : {"index.html", "explorer.html", "search.html", "datasheets/index_pli.html"})
    for (const Scheme scheme : {Scheme::light, Scheme::dark})
      for (const int width : {1280, 400}) look_at(file, width, scheme);
  for (const char* file : {"readme.html", "contracts/l1d.html"}) {
    look_at(file, 1280, Scheme::light);
    look_at(file, 400, Scheme::dark);
  }
  for (const char* file : {"results/pareto.html", "results/claims.html"}) {
    look_at(file, 1280, Scheme::dark);
    look_at(file, 400, Scheme::light);
  }
}

TEST_F(Browser, DatasheetOfACache) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": minutes of synthesis";
  const verif::TempFolder folder;
  ASSERT_TRUE(verif::l1forge({"datasheet", "l1d", "-o", folder.path("sheets")}).ok());
  expect_readable_in_both_schemes(folder.content("sheets/l1d.html"));
}

// Of 20 configurations.
class BrowsedStudy : public Browser {
 protected:
  static void SetUpTestSuite() {
    const verif::TempFolder folder;
    const std::string study = folder.write(
        "sizes.toml",
        "[grid.sizes]\nunit = \"l1d\"\nkeys.geometry.capacity_bytes = [4096, 8192, 16384, 32768, 65536]\n"
        "keys.index.kind = [\"cvi\", \"pli\", \"bxi\", \"pri\"]\n[inputs]\n"
        "traces = [\"builtin:kmeans?points=500\", \"" +
            bundled +
            "atax256_first_warps.rec.xz\"]\n[measure.untimed]\n[pareto.misses]\ncost = \"bits\"\n"
            "value = \"untimed.miss_rate\"\n[check.bits]\nvalue = \"min(bits)\"\nrelation = "
            "\"direction\"\nexpected = \"more\"\n");
    const auto done = verif::l1forge({"study", study, "-o", folder.path("out")});
    ASSERT_TRUE(done.ok()) << done.output;
    page_ = folder.content("out/study.html");
    report_ = nlohmann::json::parse(folder.content("out/study.json"));
  }

  // What the body of a function says in the page, once its charts are drawn.
  static std::string said(const std::string& body, int width = 1280) {
    return looked_at(
        page_, width, Scheme::light,
        "<script>const later = () => new Promise(done => setTimeout(done, 500));\n"
        "const set = (name, value) => { const choice = document.querySelector(`[data-choice=\"${name}\"]`);\n"
        "  choice.value = value; choice.dispatchEvent(new Event(\"change\")); return later(); };\n"
        "const all = selector => [...document.querySelectorAll(selector)];\n"
        "const bars = () => all('.plot:first-child [aria-roledescription=bar]');\n"
        "const measured = all('table').find(t => t.tHead.textContent.includes('bytes_down'));\n"
        "page.ready.then(async () => { document.title = 'looked at ' + await (async () => {" +
            body + "})(); });</script>");
  }

  static std::string page_;
  static nlohmann::json report_;
};
std::string BrowsedStudy::page_;
nlohmann::json BrowsedStudy::report_;

TEST_F(BrowsedStudy, IsReadableOnThreeScreens) {
  expect_readable_in_both_schemes(page_);
  for (const auto& [width, height] : {std::pair{1280, 800}, {400, 850}}) {
    const std::string pixels = said("return document.documentElement.scrollHeight;", width);
    EXPECT_LE(std::stoi(pixels.substr(std::string("looked at ").size())), 3 * height) << width;
  }
}

TEST_F(BrowsedStudy, AClickChoosesAConfigurationInChartsAndTables) {
  const std::string count =
      "return [bars().filter(b => b.getAttribute('opacity') === '1').length, bars().length,"
      " new Set(all('tr.chosen').map(r => r.dataset.configuration)).size, all('.about code').length].join(' "
      "');";
  EXPECT_EQ(said(count), "looked at 40 40 0 0");
  EXPECT_EQ(said("measured.tBodies[0].rows[3].click(); await later();" + count), "looked at 2 40 1 1");
  EXPECT_EQ(
      said("const box = bars()[5].getBoundingClientRect(); bars()[5].dispatchEvent(new MouseEvent('click', "
           "{bubbles: true, clientX: box.x + 1, clientY: box.y + 1})); await later();" +
           count),
      "looked at 2 40 1 1");
  EXPECT_EQ(said("for (const _ of [1, 2]) measured.tBodies[0].rows[3].click(); await later();" + count),
            "looked at 40 40 0 0");
}

TEST_F(BrowsedStudy, HeadingsSortTheirTable) {
  const std::string rates =
      "const column = [...measured.tHead.rows[0].cells].findIndex(c => c.textContent === 'miss_rate');"
      "const rates = () => [...measured.tBodies[0].rows].map(r => Number(r.cells[column].textContent));"
      "const press = () => measured.tHead.rows[0].cells[column].querySelector('button').click();"
      "const sorted = sign => rates().every((v, i, all) => !i || sign * (v - all[i - 1]) >= 0);";
  EXPECT_EQ(said(rates + "return sorted(1) || sorted(-1);"), "looked at false");
  EXPECT_EQ(said(rates + "press(); return sorted(1) && rates().length;"), "looked at 40");
  EXPECT_EQ(said(rates + "press(); press(); return sorted(-1);"), "looked at true");
}

TEST_F(BrowsedStudy, FiltersAndBaseline) {
  EXPECT_EQ(said("await set('key index.kind', 'pli'); return [bars().length, "
                 "[...measured.tBodies[0].rows].filter(r => !r.hidden).length].join(' ');"),
            "looked at 10 10");
  const std::string base =
      page_.find("sizes geometry.capacity_bytes=4096 index.kind=cvi") != std::string::npos
          ? "sizes geometry.capacity_bytes=4096 index.kind=cvi"
          : "sizes index.kind=cvi geometry.capacity_bytes=4096";
  EXPECT_EQ(
      said(
          "await set('base', '" + base +
          "'); return bars().filter(b => b.getAttribute('aria-label').includes(': 1; configuration: " + base +
          "')).length + ' ' + document.querySelector('.plot svg').textContent.includes('relative to');"),
      "looked at 2 true");
}

// The front that the page works out for the figures chosen is that of the report.
TEST_F(BrowsedStudy, FrontOfTheFiguresChosen) {
  const std::size_t on = report_["fronts"][0]["front"].size();
  EXPECT_GT(on, 1u);
  EXPECT_THAT(said("return document.querySelector('.count').textContent;"),
              HasSubstr(fmt::format("20 with both figures, {} on the front", on)));
  EXPECT_THAT(
      said("await set('x', 'untimed.miss_rate'); return document.querySelector('.count').textContent;"),
      HasSubstr("1 on the front"))
      << "a figure over itself";
}

TEST_F(Browser, TimelineWithAHundredThousandChanges) {
  std::mt19937 draw(1);
  golden::History sel{.name = "adi_history", .key = "sel", .title = "address bits in the index"};
  golden::History mode{.name = "mode_history", .key = "mode", .title = "mode", .words = {"fine", "coarse"}};
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    sel.note(10 * i, std::vector<int>{static_cast<int>(7 + draw() % 3), static_cast<int>(10 + draw() % 4)});
    mode.note(10 * i, static_cast<int>(draw() % 2));
  }
  const std::vector<golden::Timeline::Part> parts(200, {.loads = 5000, .misses = 2000});
  const std::vector<golden::History> histories{sel, mode};
  const std::string svg = gen::picture_of(
      {gen::timeline_chart("Miss rate in the course of a run: a trace", {{"l1d_adi", &parts, &histories}})});
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
  EXPECT_THAT(looked_at(picture_page("<p>words</p><img src=\"none.svg\">"), 400), HasSubstr("no picture: "));
  EXPECT_THAT(
      looked_at(picture_page(
                    "<svg viewBox=\"0 0 100 20\" width=\"100\"><text x=\"90\" y=\"15\">words</text></svg>"),
                400),
      HasSubstr("cut: words"));
}
