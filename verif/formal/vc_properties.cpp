#include "verif/formal/vc_properties.h"

#include <fmt/format.h>

namespace verif {
namespace {

int bits_for(int n) {
  int bits = 0;
  while (1 << bits < n) ++bits;
  return bits;
}

std::string range(int bits) { return bits == 1 ? "" : fmt::format("[{}:0] ", bits - 1); }

class Harness {
 public:
  Harness(VcClaim claim, const VcShape& s, std::string unit)
      : claim_(claim),
        s_(s),
        unit_(std::move(unit)),
        vc_bits_(bits_for(s.vcs)),
        count_bits_(bits_for(s.depth + 1)) {
    add("reg started;\ninitial started = 1'b0;\nalways @(posedge clk) started <= 1'b1;");
    pins_ = ".clk(clk), .rst(~started)";
    for (int i = 0; i < s_.inputs; ++i) sender(i);
    for (int j = 0; j < s_.outputs; ++j) receiver(j);
    for (int i = 0; i < s_.inputs; ++i) leaving(i);
    watch();
    judge();
  }

  std::string text() const {
    return fmt::format("module vc_property (input clk{}, output bad);\n{}  {} unit ({});\nendmodule\n", free_,
                       body_, unit_, pins_);
  }

 private:
  void add(const std::string& line) { body_ += "  " + line + "\n"; }
  void free_input(const std::string& name, int bits) {
    free_ += fmt::format(", input {}{}", range(bits), name);
  }
  void pin(const std::string& name, const std::string& value) {
    pins_ += fmt::format(", .{}({})", name, value);
  }
  std::string is_vc(const std::string& vc, int v) const {
    return vc_bits_ ? fmt::format("({} == {}'d{})", vc, vc_bits_, v) : "1'b1";
  }
  // A register that starts at 0.
  void state(const std::string& name, int bits, const std::string& next) {
    add(fmt::format("reg {0}{1};\n  initial {1} = 0;\n  always @(posedge clk) if (started) {1} <= {2};",
                    range(bits), name, next));
  }

  // Any flit that there is a credit for; heads and tails alternate on each VC.
  void sender(int i) {
    const std::string in = fmt::format("in{}_", i);
    const bool watched = i == s_.inputs - 1;
    for (const char* name : {"send", "end"}) free_input(in + name, 1);
    if (vc_bits_) free_input(in + "vc", vc_bits_);
    if (s_.outputs > 1) free_input(in + "destination", bits_for(s_.outputs));
    std::string available = "1'b0", open = "1'b0";
    for (int v = 0; v < s_.vcs; ++v) {
      const std::string here = is_vc(in + "vc", v), n = fmt::format("{}_{}", i, v);
      available += fmt::format(" | ({} & inside_{} < {})", here, n, s_.depth);
      open += fmt::format(" | ({} & open_{})", here, n);
    }
    add(fmt::format("wire {0}valid = started & {0}send & ({1});", in, available));
    add(fmt::format("wire {}head = ~({});", in, open));
    add(fmt::format("wire {0}tail = {1};", in, s_.single ? "1'b1" : in + "end"));
    add(fmt::format("wire {0}credit_valid;", in));
    if (vc_bits_) add(fmt::format("wire {}{}credit_vc;", range(vc_bits_), in));
    for (int v = 0; v < s_.vcs; ++v) {
      const std::string n = fmt::format("{}_{}", i, v);
      add(fmt::format("wire enters_{} = {}valid & {};", n, in, is_vc(in + "vc", v)));
      add(fmt::format("wire leaves_{} = {}credit_valid & {};", n, in, is_vc(in + "credit_vc", v)));
      state("inside_" + n, count_bits_, fmt::format("inside_{0} + enters_{0} - leaves_{0}", n));
      state("open_" + n, 1, fmt::format("enters_{0} ? ~{1}tail : open_{0}", n, in));
    }
    for (const char* name : {"valid", "head", "tail", "credit_valid"}) pin(in + name, in + name);
    if (vc_bits_) pin(in + "vc", in + "vc"), pin(in + "credit_vc", in + "credit_vc");
    if (s_.outputs > 1) pin(in + "destination", in + "destination");
    pin(in + "data", watched ? "{7'd0, marks}" : "8'd0");
  }

  // Returns any credit that is out, or each at once.
  void receiver(int j) {
    const std::string out = fmt::format("out{}_", j);
    const bool prompt = claim_ == VcClaim::progress;
    for (const char* name : {"valid", "head", "tail"}) add(fmt::format("wire {}{};", out, name));
    if (vc_bits_) add(fmt::format("wire {}{}vc;", range(vc_bits_), out));
    if (s_.inputs > 1) add(fmt::format("wire {}{}source;", range(bits_for(s_.inputs)), out));
    add(fmt::format("wire [7:0] {}data;", out));
    std::string some = "1'b0";
    for (int u = 0; u < s_.vcs; ++u)
      some += fmt::format(" | ({} & spent_{}_{} != 0)", is_vc(out + "back_vc", u), j, u);
    if (!prompt) {
      free_input(out + "back", 1);
      if (vc_bits_) free_input(out + "back_vc", vc_bits_);
      add(fmt::format("wire {0}returns = started & {0}back & ({1});", out, some));
    }
    pin(out + "credit_valid", prompt ? out + "valid" : out + "returns");
    if (vc_bits_) pin(out + "credit_vc", prompt ? out + "vc" : out + "back_vc");
    for (int u = 0; u < s_.vcs; ++u) {
      const std::string n = fmt::format("{}_{}", j, u);
      add(fmt::format("wire shows_{} = {}valid & {};", n, out, is_vc(out + "vc", u)));
      state("spent_" + n, count_bits_,
            prompt ? "0"
                   : fmt::format("spent_{0} + shows_{0} - ({1}returns & {2})", n, out,
                                 is_vc(out + "back_vc", u)));
      state("under_way_" + n, 1, fmt::format("shows_{0} ? ~{1}tail : under_way_{0}", n, out));
    }
    for (const char* name : {"valid", "head", "tail", "data"}) pin(out + name, out + name);
    if (vc_bits_) pin(out + "vc", out + "vc");
    if (s_.inputs > 1) pin(out + "source", out + "source");
  }

  std::string from(int j, int i) const {
    const int bits = bits_for(s_.inputs);
    return fmt::format("(out{}_valid{})", j,
                       bits ? fmt::format(" & (out{}_source == {}'d{})", j, bits, i) : "");
  }

  // Which outputs show a flit of input i, and how many.
  void leaving(int i) {
    std::string sum = "3'd0";
    for (int j = 0; j < s_.outputs; ++j) sum += " + " + from(j, i);
    add(fmt::format("wire [2:0] shown_{} = {};", i, sum));
  }

  // One flit of the watched stream is marked when the solver likes; `ahead` stand before it.
  void watch() {
    const int i = s_.inputs - 1, bits = bits_for(s_.outputs);
    const std::string k = fmt::format("{}_0", i);
    free_input("mark", 1);
    add(fmt::format("wire marks = mark & ~marked & enters_{};", k));
    state("marked", 1, "marked | marks");
    state("settled", 1, "marked");
    add(fmt::format("wire turn = marked & ~gone & ahead == 0 & leaves_{};", k));
    state("gone", 1, "gone | turn");
    state("ahead", count_bits_,
          fmt::format("~marked ? inside_{0} - leaves_{0} : ahead - (leaves_{0} & ahead != 0)", k));
    if (bits) {
      state("heading", bits, fmt::format("(enters_{0} & in{1}_head) ? in{1}_destination : heading", k, i));
      state("aim", bits, fmt::format("marks ? (in{0}_head ? in{0}_destination : heading) : aim", i));
    }
    std::string right = "1'b0", stray = "1'b0", passing = "1'b0";
    for (int j = 0; j < s_.outputs; ++j) {
      const std::string here = bits ? fmt::format("(aim == {}'d{})", bits, j) : "1'b1";
      right += fmt::format(" | ({} & {} & out{}_data[0])", here, from(j, i), j);
      stray += fmt::format(" | (out{}_valid & out{}_data[0])", j, j);
      passing += fmt::format(" | ({} & out{}_valid)", here, j);
    }
    add(fmt::format("wire right = {};\n  wire stray = {};\n  wire passing = {};", right, stray, passing));
    add("wire front = marked & settled & ~gone & ahead == 0;");
    const int most = (s_.inputs + 1) * s_.vcs;
    state("passed", bits_for(most + 1), fmt::format("front ? passed + (passing & passed < {}) : 0", most));
    const int longest = most * most * s_.outputs;
    state("age", bits_for(longest + 2), fmt::format("front ? age + (age <= {}) : 0", longest));
  }

  void judge() {
    std::string bad = "1'b0";
    const int most = (s_.inputs + 1) * s_.vcs;
    switch (claim_) {
      case VcClaim::delivery:
        bad = "turn ? ~right : stray";
        break;
      case VcClaim::credits:
        for (int i = 0; i < s_.inputs; ++i) {
          bad += fmt::format(" | (shown_{0} != in{0}_credit_valid)", i);
          for (int v = 0; v < s_.vcs; ++v)
            bad += fmt::format(" | (leaves_{0}_{1} & inside_{0}_{1} == 0)", i, v);
        }
        for (int j = 0; j < s_.outputs; ++j)
          for (int u = 0; u < s_.vcs; ++u)
            bad += fmt::format(" | (shows_{0}_{1} & spent_{0}_{1} == {2})", j, u, s_.depth);
        break;
      case VcClaim::unmixed:
        for (int j = 0; j < s_.outputs; ++j)
          for (int u = 0; u < s_.vcs; ++u)
            bad += fmt::format(" | (shows_{0}_{1} & out{0}_head == under_way_{0}_{1})", j, u);
        break;
      case VcClaim::wait:
        bad = fmt::format("passed >= {}", most);
        break;
      case VcClaim::progress:
        bad = fmt::format("age > {}", most * most * s_.outputs);
        break;
    }
    add(fmt::format("assign bad = started & ({});", bad));
  }

  VcClaim claim_;
  VcShape s_;
  std::string unit_, free_, body_, pins_;
  int vc_bits_, count_bits_;
};

}  // namespace

Property vc_property(VcClaim claim, const VcShape& shape, const std::string& unit,
                     std::vector<std::string> unit_verilog) {
  unit_verilog.push_back(Harness(claim, shape, unit).text());
  return {.top = "vc_property", .verilog = std::move(unit_verilog)};
}

}  // namespace verif
