#include "gen/site/markdown.h"

#include <fmt/format.h>
#include <md4c-html.h>

#include <cctype>
#include <map>
#include <regex>
#include <stdexcept>

#include "gen/html.h"

namespace gen {
namespace {

std::string rendered(const std::string& markdown) {
  std::string html;
  const auto take = [](const MD_CHAR* text, MD_SIZE size, void* out) {
    static_cast<std::string*>(out)->append(text, size);
  };
  const int failed = md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html,
                             MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH, 0);
  if (failed != 0) throw std::runtime_error("md4c has no memory left");
  return html;
}

template <class With>
std::string replaced(const std::string& text, const std::regex& what, With&& with) {
  std::string out;
  std::size_t from = 0;
  for (std::sregex_iterator found(text.begin(), text.end(), what), end; found != end; ++found) {
    const auto at = static_cast<std::size_t>(found->position());
    out.append(text, from, at - from);
    out += with(*found);
    from = at + static_cast<std::size_t>(found->length());
  }
  return out.append(text, from);
}

std::string unescaped(std::string text) {
  for (const auto& [entity, sign] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at = 0; (at = text.find(entity, at)) != std::string::npos; ++at)
      text.replace(at, std::string_view(entity).size(), sign);
  return text;
}

std::string with_links(const std::string& html, const LinkTarget& target) {
  const auto attribute = [&](const std::string& name, const std::string& link) {
    if (link.starts_with("https://")) return fmt::format("{}=\"{}\"", name, link);
    const auto to = target(unescaped(link));
    return to ? fmt::format("{}=\"{}\"", name, escaped(*to))
              : fmt::format("title=\"in the repository: {}\"", link);
  };
  const std::string linked = replaced(html, std::regex("<a href=\"([^\"]*)\""),
                                      [&](const std::smatch& m) { return "<a " + attribute("href", m[1]); });
  return replaced(linked, std::regex("<img src=\"([^\"]*)\"([^>]*)>"), [&](const std::smatch& m) {
    return fmt::format("<a {}><img {}{}></a>", attribute("href", m[1]), attribute("src", m[1]), m[2].str());
  });
}

std::string with_anchors(const std::string& html) {
  std::map<std::string, int> uses;
  return replaced(html, std::regex("<(h[1-6])>(.*)</h[1-6]>"), [&](const std::smatch& m) {
    std::string slug = slug_of(text_of_html(m[2]));
    if (const int use = uses[slug]++; use > 0) slug += fmt::format("-{}", use);
    return fmt::format("<{0} id=\"{1}\">{2}</{0}>", m[1].str(), slug, m[2].str());
  });
}

// As html(HtmlTable) writes them: the first column heads its row, and each cell knows its heading.
std::string with_table_headings(const std::string& html) {
  const std::regex cell("<table>|<tr>|<(th|td)( align=\"[a-z]+\")?>|</(th|td)>");
  std::vector<std::string> headings;
  std::size_t column = 0, heading_at = 0;
  return replaced(html, cell, [&](const std::smatch& m) -> std::string {
    const std::string word = m.str();
    if (word == "<table>") headings.clear();
    if (word == "<tr>") column = 0;
    if (word.starts_with("<th")) {
      heading_at = static_cast<std::size_t>(m.position() + m.length());
      return "<th scope=\"col\">";
    }
    if (word == "</th>")
      headings.push_back(
          text_of_html(html.substr(heading_at, static_cast<std::size_t>(m.position()) - heading_at)));
    if (word.starts_with("<td")) {
      if (column++ == 0) return "<th scope=\"row\">";
      const bool is_number = m[2].str().find("right") != std::string::npos;
      const std::string heading = column <= headings.size() ? headings[column - 1] : "";
      return fmt::format("<td{} data-label=\"{}\">", is_number ? "" : " class=\"word\"", escaped(heading));
    }
    if (word == "</td>" && column == 1) return "</th>";
    return word;
  });
}

// Behind the element that begins at `at`, or behind its tag where what it holds is text.
std::size_t behind_tag(const std::string& html, std::size_t at) {
  for (const std::string name : {"svg", "script", "style"})
    if (html.compare(at + 1, name.size(), name) == 0) {
      const std::string end = "</" + name + ">";
      const std::size_t closed = html.find(end, at);
      return closed == std::string::npos ? html.size() : closed + end.size();
    }
  const std::string end = html.compare(at, 4, "<!--") == 0 ? "-->" : ">";
  const std::size_t closed = html.find(end, at);
  return closed == std::string::npos ? html.size() : closed + end.size();
}

}  // namespace

std::string html_of_markdown(const std::string& markdown, const LinkTarget& target) {
  return with_table_headings(with_anchors(with_links(rendered(markdown), target)));
}

std::string text_of_html(const std::string& html) {
  std::string words;
  for (std::size_t at = 0; at < html.size();) {
    char next = html[at];
    if (next == '<') {
      const bool is_within_words = html.compare(at, 5, "<code") == 0 || html.compare(at, 6, "</code") == 0;
      at = behind_tag(html, at);
      if (is_within_words) continue;
      next = ' ';
    } else {
      ++at;
    }
    const bool is_space = std::isspace(static_cast<unsigned char>(next)) != 0;
    if (!is_space) words += next;
    if (is_space && !words.empty() && words.back() != ' ') words += ' ';
  }
  if (!words.empty() && words.back() == ' ') words.pop_back();
  return unescaped(words);
}

std::string slug_of(const std::string& heading) {
  std::string slug;
  for (const char c : heading) {
    const auto sign = static_cast<unsigned char>(c);
    if (std::isalnum(sign) != 0 || sign >= 0x80 || c == '-' || c == '_')
      slug += static_cast<char>(std::tolower(sign));
    else if (c == ' ')
      slug += '-';
  }
  return slug;
}

std::vector<HtmlSection> sections_of_html(const std::string& html) {
  const std::regex heading("<h2 id=\"([^\"]*)\">(.*)</h2>");
  std::vector<HtmlSection> sections(1);
  std::size_t from = 0;
  for (std::sregex_iterator found(html.begin(), html.end(), heading), end; found != end; ++found) {
    const auto at = static_cast<std::size_t>(found->position());
    sections.back().text = text_of_html(html.substr(from, at - from));
    sections.push_back({(*found)[1], text_of_html((*found)[2]), ""});
    from = at + static_cast<std::size_t>(found->length());
  }
  sections.back().text = text_of_html(html.substr(from));
  return sections;
}

}  // namespace gen
