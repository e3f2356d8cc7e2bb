// Pages as a headless browser lays them out, and what a script in the page finds wrong with them.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <string>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/temp_folder.h"

namespace verif {

// Looks at the page when it has been laid out, and leaves its complaints in the title.
inline constexpr const char* look_script = R"(<script>
const loaded = new Promise(done => document.readyState === "complete" ? done() : addEventListener("load", done));
Promise.all([loaded, typeof page !== "undefined" ? page.ready : null]).then(() => {
for (const box of document.querySelectorAll(".boxed")) box.style.maxHeight = "none";
const wrong = [], said = (what, e) => wrong.push(what + ": " + e.textContent.trim().slice(0, 40));
const inside = (a, b) =>
  a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
const screen_box = {left: 0, top: 0, right: innerWidth, bottom: 1e9};
if (document.documentElement.scrollWidth > innerWidth) wrong.push("wider than the screen");
for (const e of performance.getEntriesByType("resource"))
  if (!e.name.startsWith("file:")) wrong.push("requests " + e.name);
const words =
  [...document.querySelectorAll("svg text, h1, h2, p, pre, th, td, figcaption, summary, label")]
    .filter(e => e.getClientRects().length && e.getAttribute("opacity") !== "0");
for (const e of document.images) if (!e.complete || !e.naturalWidth) wrong.push("no picture: " + e.src);
for (const figure of document.querySelectorAll("figure.chart, .comparison"))
  if (!figure.querySelector("svg text")) wrong.push("nothing is drawn: " + figure.textContent.slice(0, 40));
for (const e of words) {
  const box = e.getBoundingClientRect(), svg = e.closest("svg");
  if (!inside(box, screen_box)) said("beyond the screen", e);
  if (svg && !inside(box, svg.getBoundingClientRect())) said("cut", e);
  if (e.scrollWidth > e.clientWidth + 1 && !svg) said("cut", e);
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const size = scale * parseFloat(getComputedStyle(e).fontSize);
  if (size < 8) said("too small, " + size, e);
}
const boxes = words.filter(e => !e.querySelector("p, pre, th, td")).map(e => [e, e.getBoundingClientRect()]);
boxes.sort((a, b) => a[1].top - b[1].top);
for (let i = 0; i < boxes.length; ++i)
  for (let j = i + 1; j < boxes.length && boxes[j][1].top < boxes[i][1].bottom - 3; ++j) {
    const [a, b] = [boxes[i][1], boxes[j][1]];
    if (a.left < b.right - 2 && b.left < a.right - 2) said("over " + boxes[i][0].textContent.slice(0, 40), boxes[j][0]);
  }
const light = c => { const [r, g, b] = c.match(/[0-9.]+/g).map(Number); return 0.3 * r + 0.6 * g + 0.1 * b; };
const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const drawn_on_page = e => e.closest("[class*=role-axis], [class*=role-legend], [class*=role-title]");
for (const e of words)
  if ((!e.closest("svg") || drawn_on_page(e)) &&
      getComputedStyle(document.documentElement).colorScheme.includes("dark") &&
      (light(getComputedStyle(e)[e.closest("svg") ? "fill" : "color"]) < 128) === dark)
    said("unreadable on its ground", e);
document.title = "looked at " + words.length + " words: " + wrong.join("; ");
});
</script>)";

inline std::string browser() {
  try {
    return gen::find_tool("chromium-headless-shell").string();
  } catch (const gen::ToolError&) {
    return "";
  }
}

enum class Scheme { dark = 0, light = 1 };  // as the browser numbers them

// What the browser and the script in the page say, for a screen of that width.
inline std::string browsed(const std::filesystem::path& page, int width, Scheme scheme) {
  const gen::TempDir folder("browser");
  const auto done =
      gen::run({.argv = {browser(), "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                         fmt::format("--window-size={},1000", width),
                         fmt::format("--blink-settings=preferredColorScheme={}", static_cast<int>(scheme)),
                         "--user-data-dir=" + (folder / "profile").string(), "--virtual-time-budget=20000",
                         "--dump-dom", "file://" + page.string()},
                .timeout = std::chrono::minutes(3)});
  EXPECT_TRUE(done.ok()) << done.output;
  EXPECT_THAT(done.output, testing::Not(testing::HasSubstr("CONSOLE")));
  const std::size_t at = done.output.find("<title>looked at ");
  return at == std::string::npos ? done.output
                                 : done.output.substr(at + 7, done.output.find("</title>", at) - at - 7);
}

inline std::string looked_at(const std::string& page, int width, Scheme scheme = Scheme::light,
                             const std::string& script = look_script) {
  const gen::TempDir folder("browser");
  gen::write_file_atomically(folder / "page.html", page + script);
  return browsed(folder / "page.html", width, scheme);
}

inline std::string unfolded(const std::string& page) {
  return std::regex_replace(page, std::regex("<details>"), "<details open>");
}

// A page of a site, among its other files.
inline std::string looked_at_in(const std::filesystem::path& site, const std::string& file, int width,
                                Scheme scheme) {
  const std::filesystem::path changed = std::filesystem::path(file).parent_path() / "looked_at.html";
  gen::write_file_atomically(site / changed, unfolded(gen::read_file(site / file)) + look_script);
  const std::string said = browsed(site / changed, width, scheme);
  std::filesystem::remove(site / changed);
  return said;
}

}  // namespace verif
