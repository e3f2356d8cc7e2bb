#include "gen/print_verilog.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "gen/ports.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

using namespace rtl;

constexpr std::size_t columns = 100;
constexpr std::ptrdiff_t long_module = 400;  // lines; a longer one says why

std::string range(int width) { return width == 1 ? "" : fmt::format("[{}:0]", width - 1); }

std::string declaration(std::string_view net, int width, std::string_view name) {
  return width == 1 ? fmt::format("{} {}", net, name) : fmt::format("{} {} {}", net, range(width), name);
}

// Lines with their comments; neighbours have their comments in one column, long lines break after an
// operator.
class Page {
 public:
  void line(std::string text, std::string doc = "") {
    lines_.push_back({depth_, std::move(text), std::move(doc)});
  }
  void comment(const std::string& text) {
    std::string rest = text;
    const std::size_t room = columns - 2 * depth_ - 3;
    while (rest.size() > room) {
      const std::size_t space = rest.rfind(' ', room);
      const std::size_t cut = space == std::string::npos || space == 0 ? room : space;
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
  static std::string padded(const Line& l) {
    return l.text.empty() ? "" : std::string(2 * l.depth, ' ') + l.text;
  }
  static void broken(std::string& out, const Line& l) {
    const std::string pad(2 * l.depth, ' ');
    if (!l.doc.empty()) {
      Page above;
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

class Printer {
 public:
  explicit Printer(const ModuleData& module) : m_(module) {}

  std::string stub() {
    head();
    page_.line("(* blackbox *)");
    ports(false);
    std::string inputs;
    for (const Port& p : ports_of(m_)) {
      if (p.direction == "output")
        page_.line(fmt::format("assign {} = {{{}{{1'bx}}}};", p.name, p.width), "until a macro drives it");
      else
        inputs += ", " + p.name;
    }
    page_.line(fmt::format("wire unused_without_macro = &{{1'b0{}}};", inputs));
    page_.back();
    page_.blank();
    page_.line("endmodule");
    page_.blank();
    page_.line("`default_nettype wire");
    return page_.text();
  }

  std::string print(std::uint32_t order) {
    head();
    const std::string start = std::exchange(page_, {}).text();
    body(order);
    const std::string rest = page_.text();
    if (m_.length_reason.empty() || std::ranges::count(start + rest, '\n') <= long_module)
      return start + rest;
    page_ = {};
    head(fmt::format("Reason for its length: {}.", m_.length_reason));
    return page_.text() + rest;
  }

 private:
  void body(std::uint32_t order) {
    ports(true);
    for (const std::string& loop : m_.loop_names) page_.line(fmt::format("integer {};", loop));
    if (order == 0) {
      for (const Item& item : m_.items) print(item);
    } else {
      shuffled(order);
    }
    page_.back();
    page_.blank();
    page_.line("endmodule");
    page_.blank();
    page_.line("`default_nettype wire");
  }

  void head(const std::string& reason = "") {
    page_.comment(fmt::format("{}: {}", *m_.name, m_.doc));
    if (!reason.empty()) page_.comment(reason);
    page_.comment(
        fmt::format("Generated by L1Forge from {}. Do not edit; generate it again.", short_path(m_.loc)));
    page_.line("`default_nettype none");
    page_.blank();
  }

  void ports(bool with_body) {
    const auto list = ports_of(m_);
    std::size_t wide = 0;
    for (const Port& p : list) wide = std::max(wide, range(p.width).size());
    page_.line(fmt::format("module {} (", *m_.name));
    page_.deeper();
    for (const Port& p : list)
      page_.line(fmt::format("{:<6} {:<4} {:<{}} {}{}", p.direction, p.is_reg && with_body ? "reg" : "wire",
                             range(p.width), wide, p.name, &p == &list.back() ? "" : ","),
                 p.doc);
    page_.back();
    page_.line(");");
    page_.deeper();
    page_.blank();
  }

  // Assignments stand apart from the declarations before them.
  void print(const Item& item) {
    if (std::holds_alternative<Assign>(item.what) && was_declaration_) page_.blank();
    was_declaration_ = std::holds_alternative<Declare>(item.what);
    std::visit([&](const auto& what) { show(what); }, item.what);
  }

  void show(const Let& let) {
    const Signal& s = *m_.signal(let.name);
    page_.line(fmt::format("{} = {};", declaration("wire", s.width, s.name), verilog_of(let.value)), s.doc);
  }
  void show(const Unused& u) {
    page_.line(fmt::format("wire {} = &{{1'b0, {}}};", u.name, verilog_of(u.bits)), u.doc);
  }
  void show(const Declare& d) {
    if (const Signal* s = m_.signal(d.name)) {
      const bool is_reg = s->role == Role::reg || s->in_block;
      page_.line(declaration(is_reg ? "reg" : "wire", s->width, s->name) + ";", s->doc);
      return;
    }
    const auto& store = *std::ranges::find(m_.mems, d.name, [](const Store& x) { return x.mem.name; });
    page_.line(fmt::format("{} [0:{}];", declaration("reg", store.mem.width, d.name), store.mem.depth - 1),
               store.doc);
  }
  void show(const Assign& a) {
    page_.line(fmt::format("assign {} = {};", verilog_of(a.target), verilog_of(a.value)));
  }
  void show(const Section& s) {
    page_.blank();
    page_.comment(s.title);
  }

  void show(const Instance& i) {
    page_.blank();
    page_.comment(i.doc);
    page_.line(fmt::format("{} {} (", i.child.name(), i.name));
    page_.deeper();
    std::vector<std::string> pins;
    for (const Port& p : ports_of(i.child)) {
      const std::string& parent = p.name == "clk" ? i.clock.name : p.name == "rst" ? i.clock.reset : p.name;
      if (p.is_clock || p.is_reset) pins.push_back(fmt::format(".{}({})", p.name, parent));
    }
    for (const auto& [pin, e] : i.pins) pins.push_back(fmt::format(".{}({})", pin, verilog_of(e)));
    for (const auto& pin : pins) page_.line(pin + (&pin == &pins.back() ? "" : ","));
    page_.back();
    page_.line(");");
  }

  void show(const Repeat& r) {
    page_.blank();
    page_.comment(r.doc);
    const std::string variable = "index_of_" + r.label;
    page_.line(fmt::format("genvar {};", variable));
    page_.line("generate");
    page_.deeper();
    page_.line(
        fmt::format("for ({0} = 0; {0} < {1}; {0} = {0} + 1) begin : {2}", variable, r.times, r.label));
    page_.deeper();
    for (const Item& item : r.items) print(item);
    page_.back();
    page_.line("end");
    page_.back();
    page_.line("endgenerate");
  }

  void show(const Block& b) {
    page_.blank();
    page_.comment(b.doc);
    page_.line(b.clocked ? fmt::format("always @(posedge {}) begin", b.clock.name) : "always @* begin");
    page_.deeper();
    std::vector<std::string> resets;
    if (b.clocked)
      for (const Signal& s : m_.signals)
        if (s.has_reset && s.driver[0] == fmt::format("clocked \"{}\"", b.doc))
          resets.push_back(fmt::format("{} <= {};", s.name, verilog_of(wide_lit(s.width, s.reset))));
    if (!b.clocked)
      for (const std::string& variable : conditional_loops(b.body, false))
        page_.line(fmt::format("{} = 0;", variable));
    if (resets.empty()) {
      statements(b.body, b.clocked ? "<=" : "=");
    } else {
      page_.line(fmt::format("if ({}) begin", b.clock.reset));
      page_.deeper();
      for (const auto& r : resets) page_.line(r);
      page_.back();
      if (b.body.size() == 1 && b.body[0].kind == Stmt::Kind::when) {
        branch(b.body[0], "<=", "end else ");
      } else {
        page_.line("end else begin");
        nested(b.body, "<=");
        page_.line("end");
      }
    }
    page_.back();
    page_.line("end");
  }

  // Variables of the loops that do not run every time: without a value then, they would be latches.
  static std::vector<std::string> conditional_loops(const std::vector<Stmt>& body, bool conditional) {
    std::vector<std::string> variables;
    const auto add = [&](const std::vector<Stmt>& inner, bool when) {
      for (std::string& v : conditional_loops(inner, when))
        if (!std::ranges::count(variables, v)) variables.push_back(std::move(v));
    };
    for (const Stmt& s : body) {
      const bool loop = s.kind == Stmt::Kind::loop;
      if (loop && conditional) variables.push_back(s.target.node().text);
      add(s.then, conditional || !loop);
      add(s.other, true);
      for (const auto& [label, inner] : s.cases) add(inner, true);
    }
    return variables;
  }

  void nested(const std::vector<Stmt>& body, const char* arrow) {
    page_.deeper();
    statements(body, arrow);
    page_.back();
  }

  void branch(const Stmt& s, const char* arrow, const char* lead) {
    page_.line(fmt::format("{}if ({}) begin", lead, verilog_of(s.value)));
    nested(s.then, arrow);
    if (s.other.size() == 1 && s.other[0].kind == Stmt::Kind::when)
      return branch(s.other[0], arrow, "end else ");
    if (!s.other.empty()) {
      page_.line("end else begin");
      nested(s.other, arrow);
    }
    page_.line("end");
  }

  void statements(const std::vector<Stmt>& body, const char* arrow) {
    for (const Stmt& s : body) switch (s.kind) {
        case Stmt::Kind::set:
        case Stmt::Kind::store:
          page_.line(fmt::format("{} {} {};", verilog_of(s.target), arrow, verilog_of(s.value)));
          break;
        case Stmt::Kind::when:
          branch(s, arrow, "");
          break;
        case Stmt::Kind::loop: {
          const Node& v = s.target.node();
          page_.line(fmt::format("for ({0} = 0; {0} < {1}; {0} = {0} + 1) begin", v.text, v.high));
          nested(s.then, arrow);
          page_.line("end");
          break;
        }
        case Stmt::Kind::pick:
          page_.line(fmt::format("case ({})", verilog_of(s.value)));
          page_.deeper();
          for (const auto& [key, list] : s.cases) {
            page_.line(fmt::format("{}: begin", verilog_of(key)));
            nested(list, arrow);
            page_.line("end");
          }
          page_.line("default: begin");
          nested(s.other, arrow);
          page_.line("end");
          page_.back();
          page_.line("endcase");
          break;
      }
  }

  // Declarations first, then every assignment, block and instance in an order drawn from `order`.
  void shuffled(std::uint32_t order) {
    std::vector<Item> moving;
    for (const Item& item : m_.items) {
      if (const auto* let = std::get_if<Let>(&item.what)) {
        const Signal& s = *m_.signal(let->name);
        page_.line(declaration("wire", s.width, s.name) + ";", s.doc);
        moving.push_back({Assign{Expr(std::make_shared<const Node>(Node{.width = s.width, .text = s.name})),
                                 let->value, s.loc}});
      } else if (std::holds_alternative<Declare>(item.what)) {
        print(item);
      } else if (!std::holds_alternative<Section>(item.what)) {
        moving.push_back(item);
      }
    }
    std::mt19937 draw(order);
    for (std::size_t i = moving.size(); i > 1; --i) std::swap(moving[i - 1], moving[draw() % i]);
    for (const Item& item : moving) print(item);
  }

  static std::string verilog_of(const Expr& e) { return rtl::verilog(e); }

  const ModuleData& m_;
  Page page_;
  bool was_declaration_ = false;
};

}  // namespace

std::string verilog(const rtl::Module& module, std::uint32_t order) {
  module.finish();
  return Printer(module.data()).print(order);
}

std::string verilog_unchecked(const rtl::ModuleData& module) { return Printer(module).print(0); }

std::string verilog_stub(const rtl::Module& module) {
  module.finish();
  return Printer(module.data()).stub();
}

}  // namespace gen
