// Expressions as Verilog text, with the fewest brackets that leave no doubt.
#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string literal_text(const Node& n) {
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

std::string loop_range(const Node& n, const std::string& index) {
  return n.width == 1 ? index : fmt::format("{0} * {1} +: {1}", index, n.width);
}

std::string stepped_text(const Node& n, const std::string& scope) {
  std::vector<std::string> terms;
  for (std::size_t i = 1; i < n.args.size(); ++i) {
    const std::string loop = verilog(n.args[i], scope);
    if (const auto step = n.words[i - 1])
      terms.push_back(step == 1 ? loop : fmt::format("{} * {}", loop, step));
  }
  if (n.low > 0 || terms.empty()) terms.push_back(fmt::format("{}", n.low));
  return fmt::format("{}[{}{}]", verilog(n.args[0], scope), fmt::join(terms, " + "),
                     n.width == 1 ? "" : fmt::format(" +: {}", n.width));
}

// Parts whose width is a power of two are reached by a shifted index; Verilator sees the exact width then.
std::string part_text(const Node& n, const std::string& scope) {
  if (n.args[0].node().kind == Kind::literal)  // of a table, by its name
    return fmt::format("{}[{}]", n.args[0].node().text, loop_range(n, verilog(n.args[1], scope)));
  const std::string vector = verilog(n.args[0], scope);
  const std::string index = verilog(n.args[1], scope);
  if (n.width == 1) return fmt::format("{}[{}]", vector, index);
  if (n.args[1].node().kind == Kind::loop || is_table_element(n.args[1]))
    return fmt::format("{}[{}]", vector, loop_range(n, index));
  const int bits = clog2(static_cast<std::uint64_t>(n.args[0].width()));
  if (n.width == 1 << clog2(static_cast<std::uint64_t>(n.width)))
    return fmt::format("{}[{{{}, {}'d0}} +: {}]", vector, index, clog2(static_cast<std::uint64_t>(n.width)),
                       n.width);
  const int pad = bits - n.args[1].width();
  const std::string wide = pad > 0 ? fmt::format("{{{}'d0, {}}}", pad, index) : index;
  return fmt::format("{}[{} * {}'d{} +: {}]", vector, wide, bits, n.width, n.width);
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
      return n.text.empty() || !scope.empty() ? literal_text(n) : n.text;
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
      return fmt::format("{{{}{{{}}}}}", n.high, verilog(n.args[0], scope));
    case Kind::slice:
      return n.high == n.low ? fmt::format("{}[{}]", verilog(n.args[0], scope), n.high)
                             : fmt::format("{}[{}:{}]", verilog(n.args[0], scope), n.high, n.low);
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
