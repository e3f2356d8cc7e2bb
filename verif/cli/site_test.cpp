// The site: links that all lead somewhere, an explorer whose commands are accepted, a search that has all
// pages, and files of others that stay.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "gen/config/config.h"
#include "gen/datasheet/datasheet.h"
#include "gen/site/markdown.h"
#include "gen/site/site_pages.h"
#include "verif/cli/chart_reader.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::set<std::string> found_in(const std::string& text, const std::string& what) {
  std::set<std::string> found;
  const std::regex pattern(what);
  for (std::sregex_iterator m(text.begin(), text.end(), pattern), end; m != end; ++m) found.insert((*m)[1]);
  return found;
}

// Links of a site's pages that lead to no file or no anchor, or outside without a click.
std::vector<std::string> broken_links(const fs::path& site) {
  std::vector<std::string> broken;
  std::map<fs::path, std::set<std::string>> anchors;
  std::vector<fs::path> pages;
  for (const auto& entry : fs::recursive_directory_iterator(site))
    if (entry.path().extension() == ".html") pages.push_back(entry.path().lexically_normal());
  for (const fs::path& page : pages) anchors[page] = found_in(gen::read_file(page), " id=\"([^\"]*)\"");
  for (const fs::path& page : pages) {
    const std::string text = gen::read_file(page);
    for (const std::string& link : found_in(text, " (?:href|src|action)=\"([^\"]*)\"")) {
      if (link.starts_with("https://") && text.find("src=\"" + link) == std::string::npos) continue;
      const std::size_t hash = std::min(link.find('#'), link.size());
      const fs::path to = hash == 0 ? page : (page.parent_path() / link.substr(0, hash)).lexically_normal();
      const std::string anchor = link.substr(std::min(hash + 1, link.size()));
      if (!fs::is_regular_file(to) || (!anchor.empty() && !anchors[to].contains(anchor)))
        broken.push_back(page.lexically_relative(site).string() + ": " + link);
    }
  }
  return broken;
}

class SmallSite : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<verif::TempFolder>();
    const auto done = verif::l1forge({"site", "--only", "index_pli", "-o", folder_->path("site")});
    ASSERT_TRUE(done.ok()) << done.output;
    EXPECT_THAT(done.output, HasSubstr(" pages, 1 of "));
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static std::string content(const std::string& file) { return folder_->content("site/" + file); }
  static nlohmann::json data(const std::string& file) {
    const std::string text = content(file);
    const std::size_t begin = text.find('[');
    return nlohmann::json::parse(text.substr(begin, text.rfind(";\n//") - begin));
  }

  static std::unique_ptr<verif::TempFolder> folder_;
};
std::unique_ptr<verif::TempFolder> SmallSite::folder_;

}  // namespace

TEST_F(SmallSite, LinksAllLeadSomewhere) {
  EXPECT_THAT(broken_links(folder_->path("site")), IsEmpty());
  const verif::TempFolder own;
  own.write("a.html",
            "<p id=\"here\"><a href=\"b.html\"></a><a href=\"#here\"></a><a href=\"#there\"></a></p>");
  EXPECT_THAT(broken_links(own.path()), ElementsAre("a.html: #there", "a.html: b.html"));
}

TEST_F(SmallSite, HasThePagesThatItsHeadNames) {
  for (const char* page : {"index.html", "explorer.html", "results/claims.html", "results/index.html",
                           "contracts/index.html", "readme.html", "search.html", "datasheets/index_pli.html"})
    EXPECT_THAT(content(page), HasSubstr("<nav>")) << page;
  EXPECT_THAT(content("index.html"), HasSubstr("<a href=\"datasheets/index_pli.html\">index_pli</a>"));
  EXPECT_THAT(content("index.html"), Not(HasSubstr("datasheets/index_pri.html")));
  EXPECT_THAT(content("contracts/l1d.html"), HasSubstr("<img src=\"l1d.svg\""));
  // The library is there once.
  if (verif::can_draw()) {
    EXPECT_THAT(content("explorer.html"), HasSubstr("<script src=\"vega.js\"></script>"));
  }
}

TEST_F(SmallSite, SearchHasEveryPage) {
  std::set<std::string> searched;
  for (const auto& entry : data("search-index.js")) {
    const std::string file = entry[1];
    searched.insert(file.substr(0, file.find('#')));
  }
  const fs::path site = folder_->path("site");
  for (const auto& entry : fs::recursive_directory_iterator(site)) {
    if (entry.path().extension() != ".html" || entry.path().filename() == "search.html") continue;
    EXPECT_TRUE(searched.contains(entry.path().lexically_relative(site))) << entry.path();
  }
}

TEST_F(SmallSite, ExplorerNamesConfigurationsThatAreAccepted) {
  const nlohmann::json points = verif::comparison_of(content("explorer.html"))["points"];
  EXPECT_GT(points.size(), 40u);
  for (const auto& point : points) {
    std::istringstream words(point["configuration"].get<std::string>());
    std::string preset, word;
    words >> preset;
    std::vector<std::string> settings;
    while (words >> word)
      if (word != "-s") settings.push_back(word);
    const gen::Config config = gen::load_config(preset, settings);
    for (const auto& [axis, key] : {std::pair{"tags", "tags.kind"},
                                    {"index", "index.kind"},
                                    {"bypass", "bypass.kind"},
                                    {"bytes", "geometry.capacity_bytes"}})
      EXPECT_EQ(point["keys"][axis], config.resolved[key]) << point["configuration"] << axis;
    EXPECT_THAT(point["figures"][""], Not(IsEmpty())) << point["configuration"];
  }
}

TEST_F(SmallSite, ReplacesItsOwnFilesAlone) {
  const std::string site = folder_->path("site");
  const std::string text = content("glossary.html");
  const auto again = [&] { return verif::l1forge({"site", "--only", "index_pli", "-o", site}); };
  const auto refused = [&](const std::string& file, const std::string& mine, const std::string& why) {
    folder_->write("site/" + file, mine);
    const auto done = again();
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.output, HasSubstr(why));
    EXPECT_EQ(content(file), mine);
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  };
  refused("notes.txt", "mine\n", "notes.txt: is there already, and l1forge did not write it");
  fs::remove(site + "/notes.txt");
  refused("glossary.html", "mine" + text, "glossary.html: was edited since l1forge wrote it");
  folder_->write("site/glossary.html", text);
  EXPECT_EQ(again().status, 0);
  EXPECT_EQ(content("glossary.html"), text);
}

// The page of switch is called after its module.
TEST(Site, LinksAPageThatIsCalledAfterItsModule) {
  const std::string page =
      gen::catalogue_page({{"switch", "datasheets/word_switch.html"}}, {"l1forge site", "0"});
  EXPECT_THAT(page, HasSubstr("<a href=\"datasheets/word_switch.html\">switch</a>"));
  EXPECT_THAT(page, Not(HasSubstr(">index_pli</a>")));
  EXPECT_EQ(gen::page_name(gen::load_config("switch")), "word_switch.html");
}

TEST(Site, RefusesAFileInTheWayAndUnknownPresets) {
  const verif::TempFolder own;
  const std::string file = own.write("file", "mine\n");
  const auto done = verif::l1forge({"site", "--only", "index_pli", "-o", file});
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.output, HasSubstr("cannot create the folder"));
  EXPECT_EQ(own.content("file"), "mine\n");
  EXPECT_THAT(verif::l1forge({"site", "--only", "index_plo", "-o", own.path("s")}).output,
              HasSubstr("did you mean index_pli?"));
  EXPECT_THAT(own.names(), ElementsAre("file"));
}

TEST(Site, RendersTablesLinksAndHeadings) {
  const std::string html = gen::html_of_markdown(
      "# A `b` & c\n\n[in](x.md#y) [out](../hw/x.cpp) [web](https://a.b)\n\n## Twice\n\n## Twice\n\n"
      "| unit | GE |\n| --- | ---: |\n| `a` | 1 |\n",
      [](const std::string& link) {
        return link == "x.md#y" ? std::optional<std::string>("x.html#y") : std::nullopt;
      });
  for (const char* part : {"<h1 id=\"a-b--c\">", "<a href=\"x.html#y\">in</a>",
                           "<a title=\"in the repository: ../hw/x.cpp\">out</a>",
                           "<a href=\"https://a.b\">web</a>", "<h2 id=\"twice\">", "<h2 id=\"twice-1\">",
                           "<th scope=\"row\"><code>a</code></th>", "<td data-label=\"GE\">1</td>"})
    EXPECT_THAT(html, HasSubstr(part));
  EXPECT_EQ(gen::text_of_html("<p>a <code>b</code>.</p><svg><text>no</text></svg><p>&lt;c</p>"), "a b. <c");
}
