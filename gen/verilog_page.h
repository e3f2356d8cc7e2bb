// The lines of a Verilog file with their comments, laid out in columns.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace gen {

// Lines with their comments; neighbours have their comments in one column, long lines break after an
// operator.
class VerilogPage {
 public:
  static constexpr std::size_t columns = 100;

  void line(std::string text, std::string doc = "") {
    lines_.push_back({depth_, std::move(text), std::move(doc)});
  }
  void comment(const std::string& text) {
    std::string rest = text;
    const std::size_t width = columns - 2 * depth_ - 3;
    while (rest.size() > width) {
      std::size_t space = rest.rfind(' ', width);
      while (space != std::string::npos && space > 0 && begins_with_pronoun(rest.substr(space + 1)))
        space = rest.rfind(' ', space - 1);
      const std::size_t cut = space == std::string::npos || space == 0 ? width : space;
      line("// " + rest.substr(0, cut));
      rest = rest.substr(rest[cut] == ' ' ? cut + 1 : cut);
    }
    line("// " + rest);
  }
  void blank() {
    if (!lines_.empty() && !lines_.back().text.empty()) line("");
  }
  void deeper() { ++depth_; }
  void back() { --depth_; }

  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < lines_.size();) {
      std::size_t end = i, wide = 0, longest = 0;
      for (; end < lines_.size() && !lines_[end].doc.empty(); ++end) {
        const std::size_t code = std::max(wide, 2 * lines_[end].depth + lines_[end].text.size());
        const std::size_t comment = std::max(longest, lines_[end].doc.size());
        if (code + 5 + comment > columns) break;
        wide = code;
        longest = comment;
      }
      for (; i < end; ++i) out += fmt::format("{:<{}}  // {}\n", padded(lines_[i]), wide, lines_[i].doc);
      if (wide == 0) broken(out, lines_[i++]);
    }
    return out;
  }

 private:
  struct Line {
    std::size_t depth;
    std::string text, doc;
  };
  // A pronoun stays on the line of its noun.
  static bool begins_with_pronoun(const std::string& text) {
    static const std::set<std::string> pronouns{"it",    "its",  "their", "them", "these", "they",
                                                "those", "what", "which", "who",  "whose"};
    return pronouns.contains(text.substr(0, text.find(' ')));
  }
  static std::string padded(const Line& l) {
    return l.text.empty() ? "" : std::string(2 * l.depth, ' ') + l.text;
  }
  static void broken(std::string& out, const Line& l) {
    const std::string pad(2 * l.depth, ' ');
    if (!l.doc.empty()) {
      VerilogPage above;
      above.depth_ = l.depth;
      above.comment(l.doc);
      out += above.text();
    }
    std::string rest = l.text;
    std::size_t limit = columns - pad.size();
    std::string lead = pad;
    while (rest.size() > limit && !rest.starts_with("//")) {
      // After an operator or a comma, so that a broken line shows that it goes on.
      std::size_t cut = std::string::npos;
      for (const char* stop : {" ^ ", " | ", " & ", " + ", " - ", ", ", " ? ", " : ", " = ", " == "}) {
        const std::size_t at = rest.rfind(stop, limit - std::char_traits<char>::length(stop));
        if (at == std::string::npos || at == 0) continue;
        const std::size_t behind = at + std::char_traits<char>::length(stop) - 1;
        if (cut == std::string::npos || behind > cut) cut = behind;
      }
      if (cut == std::string::npos) break;
      out += lead + rest.substr(0, cut) + "\n";
      rest = rest.substr(cut + 1);
      lead = pad + "    ";
      limit = columns - lead.size();
    }
    out += l.text.empty() ? "\n" : lead + rest + "\n";
  }

  std::vector<Line> lines_;
  std::size_t depth_ = 0;
};

}  // namespace gen
