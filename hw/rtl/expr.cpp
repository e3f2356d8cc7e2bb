#include "hw/rtl/expr.h"

#include <fmt/format.h>

namespace rtl {
namespace {

std::string_view scope(const Expr& e) { return e.node().scope ? *e.node().scope : std::string_view("-"); }

void same_scope(const Expr& a, const Expr& b, const Loc& loc) {
  const auto &left = a.node().scope, &right = b.node().scope;
  if (left && right && left != right)
    throw ElabError(
        Fault::scope, loc, *left,
        fmt::format("'{}' belongs to module '{}'; connect it through a port", verilog(b), *right));
}

Expr make(Node node, const Loc& loc) {
  for (const Expr& arg : node.args) {
    if (!arg.known()) throw ElabError(Fault::scope, loc, "-", "an operand is an empty Expr");
    same_scope(node.args[0], arg, loc);
    if (!node.scope) node.scope = arg.node().scope;
  }
  return Expr(std::make_shared<const Node>(std::move(node)));
}

bool sliceable(const Expr& e) {
  using enum Node::Kind;
  const Node::Kind kind = e.node().kind;
  return kind == signal || kind == look || kind == load || (kind == loop && e.width() > 0);
}

// Verilog sizes operands from their context; equal widths are the one case that never surprises.
void same_width(const At& a, const At& b, std::string_view op) {
  same_scope(a.expr, b.expr, a.loc);
  if (a.expr.width() == b.expr.width()) return;
  throw ElabError(Fault::width, a.loc, scope(a.expr),
                  fmt::format("'{} {} {}' mixes {} and {} bits; widen with zext() or cut with trunc()",
                              verilog(a.expr), op, verilog(b.expr), a.expr.width(), b.expr.width()));
}

Expr binary(const At& a, const At& b, std::string op, bool one_bit = false) {
  same_width(a, b, op);
  const int width = one_bit ? 1 : a.expr.width();
  return make({.kind = Node::Kind::binary, .width = width, .text = std::move(op), .args = {a.expr, b.expr}},
              a.loc);
}

Expr reduce(const At& a, std::string op) {
  return make({.kind = Node::Kind::unary, .width = 1, .text = std::move(op), .args = {a.expr}}, a.loc);
}

}  // namespace

int Expr::width() const { return node_ ? node_->width : 0; }

Expr Expr::slice(int high, int low, const Loc& loc) const {
  if (!known()) throw ElabError(Fault::scope, loc, "-", "an operand is an empty Expr");
  if (low < 0 || high < low || high >= width())
    throw ElabError(
        Fault::range, loc, scope(*this),
        fmt::format("slice [{}:{}] of '{}' ({} bits) is out of range", high, low, verilog(*this), width()));
  if (!sliceable(*this))
    throw ElabError(
        Fault::name, loc, scope(*this),
        fmt::format("cannot slice '{}': Verilog slices names only; give it one with let()", verilog(*this)));
  const int bits = high - low + 1;
  if (bits == width() && node().kind != Node::Kind::loop) return *this;
  return make({.kind = Node::Kind::slice, .width = bits, .args = {*this}, .high = high, .low = low}, loc);
}

Expr Expr::part(const Expr& index, int part_width, const Loc& loc) const {
  return indexed(index, part_width, false, loc);
}

Expr Expr::part_below(const Expr& index, int part_width, const Loc& loc) const {
  return indexed(index, part_width, true, loc);
}

Expr Expr::indexed(const Expr& index, int part_width, bool may_exceed, const Loc& loc) const {
  if (!known() || !index.known()) throw ElabError(Fault::scope, loc, "-", "an operand is an empty Expr");
  if (node().kind != Node::Kind::signal)
    throw ElabError(
        Fault::name, loc, scope(*this),
        fmt::format("cannot index '{}': Verilog indexes names only; give it one with let()", verilog(*this)));
  const bool loop = index.node().kind == Node::Kind::loop;
  const std::uint64_t reach = loop                 ? index.node().high
                              : index.width() < 32 ? std::uint64_t{1} << index.width()
                                                   : ~0u;
  const std::uint64_t parts = part_width > 0 ? width() / part_width : 0;
  if (part_width < 1 || width() % part_width ||
      (loop         ? reach > parts
       : may_exceed ? reach < parts
                    : reach != parts))
    throw ElabError(Fault::range, loc, scope(*this),
                    fmt::format("'{}' has {} bits, in parts of {}, but the index '{}' can reach {} parts",
                                verilog(*this), width(), part_width, verilog(index), reach));
  if (parts == 1) return *this;  // Verilog has no part of a one-bit net
  return make({.kind = Node::Kind::part, .width = part_width, .args = {*this, index}}, loc);
}

Expr wide_lit(int width, std::vector<std::uint64_t> words, const Loc& loc) {
  words.resize(std::max<std::size_t>(words.size(), (width + 63) / 64));
  for (std::size_t i = 0; i < words.size(); ++i) {
    const int room = width - static_cast<int>(i) * 64;
    if (width < 1 || (room <= 0 && words[i]) || (room > 0 && room < 64 && words[i] >> room))
      throw ElabError(Fault::width, loc, "-",
                      fmt::format("literal {} does not fit {} bits", words[i], width));
  }
  words.resize((width + 63) / 64);
  return make({.kind = Node::Kind::literal, .width = width, .words = std::move(words)}, loc);
}

Expr lit(int width, std::uint64_t value, const Loc& loc) { return wide_lit(width, {value}, loc); }

Expr ones(int width, const Loc& loc) {
  std::vector<std::uint64_t> words(width > 0 ? (width + 63) / 64 : 0, ~std::uint64_t{0});
  if (width > 0 && width % 64) words.back() >>= 64 - width % 64;
  return wide_lit(width, std::move(words), loc);
}

Expr cat(const std::vector<Expr>& parts, const Loc& loc) {
  if (parts.empty()) throw ElabError(Fault::width, loc, "-", "cat() of nothing has no bits");
  if (parts.size() == 1) return parts[0];
  int width = 0;
  for (const auto& p : parts) width += p.width();
  return make({.kind = Node::Kind::concat, .width = width, .args = parts}, loc);
}

Expr replicate(int times, At v) {
  if (times < 1)
    throw ElabError(Fault::width, v.loc, scope(v.expr),
                    fmt::format("replicate({} times) has no bits", times));
  if (times == 1) return v.expr;
  return make(
      {.kind = Node::Kind::replicate, .width = times * v.expr.width(), .args = {v.expr}, .high = times},
      v.loc);
}

Expr mux(At select, const Expr& t, const Expr& f) {
  same_width({t, select.loc}, {f, select.loc}, ":");
  if (select.expr.width() != 1)
    throw ElabError(
        Fault::width, select.loc, scope(select.expr),
        fmt::format("mux select '{}' is {} bits, not 1", verilog(select.expr), select.expr.width()));
  return make({.kind = Node::Kind::mux, .width = t.width(), .args = {select.expr, t, f}}, select.loc);
}

Expr zext(At v, int width) {
  if (width < v.expr.width())
    throw ElabError(
        Fault::width, v.loc, scope(v.expr),
        fmt::format("zext('{}', {}) narrows {} bits; use trunc()", verilog(v.expr), width, v.expr.width()));
  return width == v.expr.width() ? v.expr : cat({lit(width - v.expr.width(), 0), v.expr}, v.loc);
}

Expr trunc(At v, int width) { return v.expr.slice(width - 1, 0, v.loc); }

Expr any(At v) { return reduce(v, "|"); }
Expr all(At v) { return reduce(v, "&"); }
Expr parity(At v) { return reduce(v, "^"); }

Expr operator~(At a) {
  return make({.kind = Node::Kind::unary, .width = a.expr.width(), .text = "~", .args = {a.expr}}, a.loc);
}
Expr operator&(At a, At b) { return binary(a, b, "&"); }
Expr operator|(At a, At b) { return binary(a, b, "|"); }
Expr operator^(At a, At b) { return binary(a, b, "^"); }
Expr operator+(At a, At b) { return binary(a, b, "+"); }
Expr operator-(At a, At b) { return binary(a, b, "-"); }
Expr operator==(At a, At b) { return binary(a, b, "==", true); }
Expr operator!=(At a, At b) { return binary(a, b, "!=", true); }
Expr operator<(At a, At b) { return binary(a, b, "<", true); }
Expr operator>=(At a, At b) { return binary(a, b, ">=", true); }

}  // namespace rtl
