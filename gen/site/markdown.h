// Pages of the documentation as HTML: Markdown by md4c, with anchors, links and tables as the site needs
// them.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gen {

// Where a link of a page leads in the site; nothing where it leads out of it.
using LinkTarget = std::function<std::optional<std::string>(const std::string& link)>;

// A link that leads out of the site keeps its words alone; one to the web stays. Headings have GitHub's
// anchors, cells the names of their columns.
std::string html_of_markdown(const std::string& markdown, const LinkTarget& target);

// Words alone, with one space between them; without what stands in pictures and scripts.
std::string text_of_html(const std::string& html);

// The heading's anchor on GitHub.
std::string slug_of(const std::string& heading);

struct HtmlSection {
  std::string anchor, heading, text;  // no anchor: what stands before the first heading that has one
};

// What search finds: a page by its headings of the second level.
std::vector<HtmlSection> sections_of_html(const std::string& html);

}  // namespace gen
