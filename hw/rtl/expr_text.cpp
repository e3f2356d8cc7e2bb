// Expressions as Verilog text, with the fewest brackets that leave no doubt.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "hw/rtl/expr.h"

namespace rtl {
namespace {

using Kind = Node::Kind;

std::string operand(const Expr& e, const std::string& scope) {
  const auto k = e.node().kind;
  const bool chained_unary = k == Kind::unary && e.node().text != "~";
  return k == Kind::binary || k == Kind::mux || chained_unary ? fmt::format("({})", verilog(e, scope))
                                                              : verilog(e, scope);
}

// "{WIDTH{1'b0}}"; a number above 0 keeps its own bits.
std::string literal_text(const Node& n, const Size& width) {
  const int bits = static_cast<int>(std::bit_width(n.words[0]));
  const std::string zeros = (width - bits).text(false);
  if (bits == 0) return fmt::format("{{{}{{1'b0}}}}", zeros);
  return fmt::format("{{{{{}{{1'b0}}}}, {}'d{}}}", zeros, bits, n.words[0]);
}

std::string literal_text(const Node& n, const std::string& scope) {
  if (n.sizes && scope.empty()) return literal_text(n, n.sizes->width);
  if (n.width <= 4) return fmt::format("{}'d{}", n.width, n.words[0]);
  std::string digits;
  for (std::size_t i = n.words.size(); i-- > 0;)
    digits += digits.empty() ? (n.words[i] || i == 0 ? fmt::format("{:x}", n.words[i]) : "")
                             : fmt::format("{:016x}", n.words[i]);
  return fmt::format("{}'h{}", n.width, digits);
}

// Only a chain of one associative operator goes without brackets, on the left: a ^ b ^ c.
std::string binary_text(const Node& n, const std::string& scope) {
  const Node& left = n.args[0].node();
  const bool chain =
      left.kind == Kind::binary && left.text == n.text && (n.text == "^" || n.text == "&" || n.text == "|");
  return fmt::format("{} {} {}", chain ? verilog(n.args[0], scope) : operand(n.args[0], scope), n.text,
                     operand(n.args[1], scope));
}

// Seen from outside (`scope`), parameters are the numbers that they are.
Size width_of(const Node& n, const std::string& scope) {
  return n.sizes && scope.empty() ? n.sizes->width : Size(n.width);
}

std::string factor(const Size& size) {
  return size.is_simple() ? size.text() : fmt::format("({})", size.text());
}

std::string loop_range(const Node& n, const std::string& index, const std::string& scope) {
  const Size width = width_of(n, scope);
  return width == 1 ? index : fmt::format("{} * {} +: {}", index, factor(width), width.text());
}

// "(k + 1) * WIDTH", where a parameter gives the width of the parts.
std::string first_bit(const Node& n) {
  std::string part;
  for (std::size_t i = 1; i < n.args.size(); ++i) {
    const int parts = static_cast<int>(n.words[i - 1]) / n.width;
    if (parts == 0) continue;
    part += fmt::format("{}{}", part.empty() ? "" : " + ", n.args[i].node().text);
    if (parts != 1) part += fmt::format(" * {}", parts);
  }
  const Size& first = n.sizes->high;
  if (first != 0 || part.empty()) part += fmt::format("{}{}", part.empty() ? "" : " + ", first.text());
  const bool simple = part.find(' ') == std::string::npos;
  return fmt::format(fmt::runtime(simple ? "{} * {}" : "({}) * {}"), part, factor(n.sizes->width));
}

std::string stepped_text(const Node& n, const std::string& scope) {
  if (n.sizes && scope.empty() && n.sizes->width != 1)
    return fmt::format("{}[{} +: {}]", verilog(n.args[0], scope), first_bit(n), n.sizes->width.text());
  std::vector<std::string> terms;
  for (std::size_t i = 1; i < n.args.size(); ++i) {
    const std::string loop = verilog(n.args[i], scope);
    if (const auto step = n.words[i - 1])
      terms.push_back(step == 1 ? loop : fmt::format("{} * {}", loop, step));
  }
  const Size low = n.sizes && scope.empty() ? n.sizes->high : Size(n.low);
  if (low != 0 || terms.empty()) terms.push_back(low.text());
  return fmt::format("{}[{}{}]", verilog(n.args[0], scope), fmt::join(terms, " + "),
                     n.width == 1 ? "" : fmt::format(" +: {}", n.width));
}

// Parts whose width is a power of two are reached by a shifted index; Verilator sees the exact width then.
std::string part_text(const Node& n, const std::string& scope) {
  if (n.args[0].node().kind == Kind::literal)  // of a table, by its name
    return fmt::format("{}[{}]", n.args[0].node().text, loop_range(n, verilog(n.args[1], scope), scope));
  const std::string vector = verilog(n.args[0], scope);
  const std::string index = verilog(n.args[1], scope);
  if (width_of(n, scope) == 1) return fmt::format("{}[{}]", vector, index);
  if (n.args[1].node().kind == Kind::loop || is_table_element(n.args[1]))
    return fmt::format("{}[{}]", vector, loop_range(n, index, scope));
  const int bits = clog2(static_cast<std::uint64_t>(n.args[0].width()));
  if (n.width == 1 << clog2(static_cast<std::uint64_t>(n.width)))
    return fmt::format("{}[{{{}, {}'d0}} +: {}]", vector, index, clog2(static_cast<std::uint64_t>(n.width)),
                       n.width);
  const int pad = bits - n.args[1].width();
  const std::string wide = pad > 0 ? fmt::format("{{{}'d0, {}}}", pad, index) : index;
  return fmt::format("{}[{} * {}'d{} +: {}]", vector, wide, bits, n.width, n.width);
}

std::string slice_text(const Node& n, const std::string& scope) {
  const Size high = n.sizes && scope.empty() ? n.sizes->high : Size(n.high);
  const Size low = n.sizes && scope.empty() ? n.sizes->low : Size(n.low);
  return high == low ? fmt::format("{}[{}]", verilog(n.args[0], scope), high.text(false))
                     : fmt::format("{}[{}:{}]", verilog(n.args[0], scope), high.text(false), low.text(false));
}

}  // namespace

std::string verilog(const Expr& e, const std::string& scope) {
  if (!e.known()) return "?";
  const Node& n = e.node();
  switch (n.kind) {
    case Kind::signal:
      return scope + n.text;
    case Kind::loop:
    case Kind::look:
      return n.text;
    case Kind::literal:
      return n.text.empty() || !scope.empty() ? literal_text(n, scope) : n.text;
    case Kind::unary:
      return n.text + operand(n.args[0], scope);
    case Kind::binary:
      return binary_text(n, scope);
    case Kind::mux:
      return fmt::format("{} ? {} : {}", operand(n.args[0], scope), operand(n.args[1], scope),
                         operand(n.args[2], scope));
    case Kind::concat: {
      std::vector<std::string> parts;
      for (const auto& a : n.args) parts.push_back(verilog(a, scope));
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
    }
    case Kind::replicate:
      return fmt::format("{{{}{{{}}}}}", (n.sizes && scope.empty() ? n.sizes->high : n.high).text(false),
                         verilog(n.args[0], scope));
    case Kind::slice:
      return slice_text(n, scope);
    case Kind::part:
      return part_text(n, scope);
    case Kind::stepped:
      return stepped_text(n, scope);
    case Kind::load:
      return fmt::format("{}{}[{}]", scope, n.text, verilog(n.args[0], scope));
  }
  return "?";
}

}  // namespace rtl
