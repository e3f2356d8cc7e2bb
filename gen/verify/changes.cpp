#include "gen/verify/changes.h"

#include <fmt/format.h>

#include <optional>

namespace gen {
namespace {

using rtl::Expr, rtl::Node;
using Kind = Node::Kind;

// Only the beginning of a long expression: the line of its source is named beside it.
std::string quoted(const Expr& e) {
  constexpr std::size_t longest = 72;
  std::string text = rtl::verilog(e);
  if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
  return "'" + text + "'";
}

PlaceChange becomes(ChangeKind kind, const Expr& sound, const Expr& now) {
  return {kind, fmt::format("{} becomes {}", quoted(sound), quoted(now)), now};
}

Expr one_bit(int width, int bit) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(width + 63) / 64);
  words[static_cast<std::size_t>(bit) / 64] = std::uint64_t{1} << bit % 64;
  return rtl::wide_lit(width, words);
}

int drawn(std::mt19937_64& draw, int count) {
  return static_cast<int>(draw() % static_cast<std::uint64_t>(count));
}

Expr picked(std::mt19937_64& draw, const std::vector<Expr>& from) {
  return from[static_cast<std::size_t>(drawn(draw, static_cast<int>(from.size())))];
}

// A comparison also loses one bit of its operands: a tag that is compared in part.
Expr without_bit(const Node& n, std::mt19937_64& draw) {
  const Expr mask = one_bit(n.args[0].width(), drawn(draw, n.args[0].width()));
  const Expr a = n.args[0] | mask, b = n.args[1] | mask;
  return n.text == "==" ? a == b : a != b;
}

std::optional<Expr> other_operation(const Expr& e, std::mt19937_64& draw) {
  const Node& n = e.node();
  if (n.kind == Kind::unary) {
    const Expr& a = n.args[0];
    if (n.text == "~") return a;
    if (a.width() < 2) return {};
    return n.text == "|" ? rtl::all(a) : rtl::any(a);
  }
  if (n.kind != Kind::binary) return {};
  const Expr &a = n.args[0], &b = n.args[1];
  if (n.text == "&") return picked(draw, {a | b, a, b});
  if (n.text == "|") return picked(draw, {a & b, a, b});
  if (n.text == "^") return picked(draw, {a | b, a, b});
  if (n.text == "+") return picked(draw, {a - b, a});
  if (n.text == "-") return picked(draw, {a + b, a});
  if (n.text == "==") return picked(draw, {a != b, a.width() > 1 ? without_bit(n, draw) : a});
  if (n.text == "!=") return picked(draw, {a == b, a.width() > 1 ? without_bit(n, draw) : a});
  if (n.text == "<") return picked(draw, {a >= b, b >= a});
  if (n.text == ">=") return picked(draw, {a < b, b < a});
  return {};
}

Expr other_constant(const Expr& e, std::mt19937_64& draw) {
  const int bit = drawn(draw, e.width());
  std::vector<std::uint64_t> words = e.node().words;
  words[static_cast<std::size_t>(bit) / 64] ^= std::uint64_t{1} << bit % 64;
  return rtl::wide_lit(e.width(), words);
}

PlaceChange decided(ChangeKind kind, const Expr& condition, std::mt19937_64& draw) {
  switch (drawn(draw, 3)) {
    case 0:
      return {kind, fmt::format("condition {} is always true", quoted(condition)), rtl::lit(1, 1)};
    case 1:
      return {kind, fmt::format("condition {} is never true", quoted(condition)), rtl::lit(1, 0)};
    default:
      return {kind, fmt::format("condition {} is inverted", quoted(condition)), ~condition};
  }
}

PlaceChange other_branch(const Expr& mux, std::mt19937_64& draw) {
  const auto& args = mux.node().args;
  const std::string select = quoted(args[0]);
  switch (drawn(draw, 3)) {
    case 0:
      return {ChangeKind::condition, fmt::format("condition {} is always true", select), args[1]};
    case 1:
      return {ChangeKind::condition, fmt::format("condition {} is never true", select), args[2]};
    default:
      return {ChangeKind::condition, fmt::format("condition {} is inverted", select),
              rtl::mux(args[0], args[2], args[1])};
  }
}

Expr swapped(const Expr& net, int low) {
  std::vector<Expr> parts;
  if (low + 2 < net.width()) parts.push_back(net.slice(net.width() - 1, low + 2));
  parts.push_back(net.bit(low));
  parts.push_back(net.bit(low + 1));
  if (low > 0) parts.push_back(net.slice(low - 1, 0));
  return rtl::cat(parts);
}

PlaceChange other_bit(ChangeKind kind, const Expr& e, std::mt19937_64& draw) {
  const int bit = drawn(draw, e.width());
  const std::string which = e.width() == 1 ? quoted(e) : fmt::format("bit {} of {}", bit, quoted(e));
  const Expr mask = one_bit(e.width(), bit);
  const bool can_swap = e.node().kind == Kind::signal && e.width() > 1;
  switch (drawn(draw, can_swap ? 4 : 3)) {
    case 0:
      return {kind, which + " is stuck at 0", e & ~mask};
    case 1:
      return {kind, which + " is stuck at 1", e | mask};
    case 2:
      return {kind, which + " is inverted", e ^ mask};
    default: {
      const int low = drawn(draw, e.width() - 1);
      return {kind, fmt::format("bits {} and {} of {} are swapped", low, low + 1, quoted(e)),
              swapped(e, low)};
    }
  }
}

bool is_operand(const Node& n) {
  if (n.kind == Kind::slice && n.args[0].node().kind == Kind::loop) return false;
  return n.kind == Kind::signal || n.kind == Kind::slice || n.kind == Kind::part || n.kind == Kind::stepped ||
         n.kind == Kind::load;
}

}  // namespace

std::vector<PlaceChange> changes_of(const Place& place, std::mt19937_64& draw) {
  const Expr& e = place.sound;
  const Kind kind = e.node().kind;
  if (place.role == Place::Role::reset) {
    const Expr now = other_constant(e, draw);
    return {{ChangeKind::reset,
             fmt::format("the reset value {} becomes {}", rtl::verilog(e), rtl::verilog(now)), now}};
  }
  std::vector<PlaceChange> changes;
  if (kind == Kind::literal) changes.push_back(becomes(ChangeKind::constant, e, other_constant(e, draw)));
  if (kind == Kind::mux) changes.push_back(other_branch(e, draw));
  if (const auto now = other_operation(e, draw)) changes.push_back(becomes(ChangeKind::operation, e, *now));
  if (place.role == Place::Role::condition && place.root && e.width() == 1)
    changes.push_back(decided(place.clocked ? ChangeKind::enable : ChangeKind::condition, e, draw));
  if (place.role == Place::Role::pin && place.root)
    changes.push_back(other_bit(ChangeKind::port, e, draw));
  else if (is_operand(e.node()))
    changes.push_back(other_bit(ChangeKind::bit, e, draw));
  return changes;
}

}  // namespace gen
