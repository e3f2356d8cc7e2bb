// The whole site: the headings of every datasheet, and each page as a browser lays it out, on two screens and
// in both schemes. Hours of synthesis on first use; results are kept, and a call that was cut short goes on.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "gen/config/catalogue.h"
#include "gen/datasheet/datasheet.h"
#include "verif/cli/browser.h"
#include "verif/cli/chart_reader.h"
#include "verif/cli/datasheet_headings.h"
#include "verif/full_tier.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

// SITE names one that was made before.
class WholeSite : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!verif::full_tier()) return;
    if (const char* made = std::getenv("SITE")) {
      site_ = made;
      return;
    }
    folder_ = std::make_unique<verif::TempFolder>();
    site_ = folder_->path("site");
    const auto done = verif::l1forge({"site", "-o", site_.string()});
    ASSERT_TRUE(done.ok()) << done.output;
  }
  static void TearDownTestSuite() { folder_.reset(); }
  void SetUp() override {
    if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": hours of synthesis on first use";
  }

  static std::unique_ptr<verif::TempFolder> folder_;
  static fs::path site_;
};
std::unique_ptr<verif::TempFolder> WholeSite::folder_;
fs::path WholeSite::site_;

}  // namespace

TEST_F(WholeSite, EveryDatasheetHasItsHeadings) {
  const std::string catalogue = gen::read_file(site_ / "index.html");
  for (const std::string& preset : gen::preset_names()) {
    const fs::path page = site_ / "datasheets" / gen::page_name(gen::load_config(preset));
    ASSERT_TRUE(fs::exists(page)) << page;
    EXPECT_THAT(catalogue, testing::HasSubstr(">" + preset + "</a>"));
    EXPECT_THAT(verif::missing_headings(gen::read_file(page), false), IsEmpty()) << preset;
  }
}

TEST_F(WholeSite, EveryPageIsReadable) {
  if (verif::browser().empty()) GTEST_SKIP() << "no browser: apt-get install chromium-headless-shell";
  if (!verif::can_draw()) GTEST_SKIP() << verif::no_drawing;
  std::set<std::string> pages;
  for (const auto& entry : fs::recursive_directory_iterator(site_))
    if (entry.path().extension() == ".html") pages.insert(entry.path().lexically_relative(site_));
  EXPECT_GT(pages.size(), 200u);
  for (const std::string& page : pages)
    for (const int width : {1280, 400})
      for (const verif::Scheme scheme : {verif::Scheme::light, verif::Scheme::dark})
        EXPECT_THAT(verif::looked_at_in(site_, page, width, scheme),
                    testing::MatchesRegex("looked at [1-9][0-9]* words: "))
            << page << " " << width << " dark " << (scheme == verif::Scheme::dark);
}
