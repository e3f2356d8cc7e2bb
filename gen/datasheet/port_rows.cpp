#include "gen/datasheet/port_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <tuple>

namespace gen {
namespace {

// A text around its first number.
struct Numbered {
  std::string before, after;
  int number = -1;  // none

  explicit Numbered(const std::string& text) : before(text) {
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto from = std::ranges::find_if(text, is_digit);
    const auto to = std::find_if_not(from, text.end(), is_digit);
    if (std::from_chars(std::to_address(from), std::to_address(to), number).ec != std::errc()) return;
    before.assign(text.begin(), from);
    after.assign(to, text.end());
  }
};

// What is the same of all ports of a row: the doc, or the doc around the port's number.
struct Kind {
  Numbered name, doc;
  std::string whole_doc, direction;
  int width;

  explicit Kind(const Port& port)
      : name(port.name), doc(port.doc), whole_doc(port.doc), direction(port.direction), width(port.width) {}
  bool has_doc_of(const Kind& other) const { return whole_doc == other.whole_doc; }
  bool is_that_of(const Kind& other) const {
    const auto around = [](const Numbered& n) { return std::tie(n.before, n.after); };
    const auto counts_in_doc = [](const Kind& k) { return k.doc.number == k.name.number; };
    return around(name) == around(other.name) && direction == other.direction && width == other.width &&
           (has_doc_of(other) ||
            (counts_in_doc(*this) && counts_in_doc(other) && around(doc) == around(other.doc)));
  }
};

}  // namespace

std::vector<PortRow> port_rows(const std::vector<Port>& ports) {
  std::vector<PortRow> rows;
  std::vector<Kind> kinds;
  std::vector<bool> have_one_doc;
  for (const Port& port : ports) {
    const Kind kind(port);
    std::size_t row = 0;
    while (row < rows.size() &&
           !(kind.name.number == kinds[row].name.number + rows[row].count && kinds[row].is_that_of(kind)))
      ++row;
    if (kind.name.number >= 0 && row < rows.size()) {
      have_one_doc[row] = kind.has_doc_of(kinds[row]);
      ++rows[row].count;
    } else {
      rows.push_back({port});
      kinds.push_back(kind);
      have_one_doc.push_back(true);
    }
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    auto& [port, count] = rows[row];
    if (count == 1) continue;
    const auto& [name, doc] = std::tie(kinds[row].name, kinds[row].doc);
    const int last = name.number + count - 1;
    port.name = fmt::format("{}[{}..{}]{}", name.before, name.number, last, name.after);
    if (!have_one_doc[row]) port.doc = fmt::format("{}{} to {}{}", doc.before, doc.number, last, doc.after);
  }
  return rows;
}

}  // namespace gen
