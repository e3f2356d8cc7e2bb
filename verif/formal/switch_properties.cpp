#include "verif/formal/switch_properties.h"

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
  Harness(SwitchClaim claim, const SwitchShape& s, int watched, std::string unit)
      : claim_(claim), s_(s), watched_(watched), unit_(std::move(unit)), ports_(bits_for(s.outputs)) {
    add("reg started;\n  initial started = 1'b0;\n  always @(posedge clk) started <= 1'b1;");
    for (int j = 0; j < s_.outputs; ++j) receiver(j);
    for (int i = 0; i < s_.inputs; ++i) sender(i);
    watch();
    judge();
  }

  std::string text() const {
    return fmt::format("module switch_property (input clk{}, output bad);\n{}  {} unit ({});\nendmodule\n",
                       free_, body_, unit_, pins_);
  }

 private:
  void add(const std::string& line) { body_ += "  " + line + "\n"; }
  void free_input(const std::string& name, int bits) {
    free_ += fmt::format(", input {}{}", range(bits), name);
  }
  void pin(const std::string& name) { pins_ += fmt::format(", .{0}({0})", name); }
  // A register that starts at 0.
  void state(const std::string& name, int bits, const std::string& next) {
    add(fmt::format("reg {0}{1};\n  initial {1} = 0;\n  always @(posedge clk) if (started) {1} <= {2};",
                    range(bits), name, next));
  }
  std::string is_port(const std::string& port, int j) const {
    return ports_ ? fmt::format("({} == {}'d{})", port, ports_, j) : "1'b1";
  }

  // Takes a word whenever it likes.
  void receiver(int j) {
    const std::string out = fmt::format("out{}_", j);
    free_input(out + "ready", 1);
    add(fmt::format("wire {0}valid;\n  wire [7:0] {0}data;", out));
    if (s_.inputs > 1) add(fmt::format("wire {}{}source;", range(bits_for(s_.inputs)), out));
    for (const char* name : {"valid", "ready", "data"}) pin(out + name);
    if (s_.inputs > 1) pin(out + "source");
    add(fmt::format("wire moves_{} = started & {}valid & {}ready;", j, out, out));
  }

  std::string from(int j, int i) const {
    const int bits = bits_for(s_.inputs);
    return bits ? fmt::format("(out{}_source == {}'d{})", j, bits, i) : "1'b1";
  }

  // Offers a word whenever it likes; one that waits stays the same.
  void sender(int i) {
    const std::string in = fmt::format("in{}_", i);
    free_input(in + "send", 1);
    if (i == watched_) free_input(in + "free_mark", 1);
    if (ports_) free_input(in + "free_destination", ports_);
    add(fmt::format("wire {}ready;", in));
    add(fmt::format("wire {0}valid = started & ({0}send | waits_{1});", in, i));
    state(fmt::format("waits_{}", i), 1, fmt::format("{0}valid & ~{0}ready", in));
    if (ports_) {
      add(fmt::format("wire {0}{1}destination = waits_{2} ? kept_{2} : {1}free_destination;", range(ports_),
                      in, i));
      state(fmt::format("kept_{}", i), ports_, in + "destination");
      pin(in + "destination");
    }
    if (i == watched_) {
      add(fmt::format("wire mark = waits_{0} ? kept_mark : {1}free_mark;\n  wire marks = mark & ~marked;", i,
                      in));
      state("kept_mark", 1, "mark");
    }
    add(fmt::format("wire [7:0] {}data = {};", in, i == watched_ ? "{7'd0, marks}" : "8'd0"));
    for (const char* name : {"valid", "ready", "data"}) pin(in + name);
    add(fmt::format("wire enters_{} = {}valid & {}ready;", i, in, in));
    std::string shown = "3'd0", leaves = "1'b0";
    for (int j = 0; j < s_.outputs; ++j) {
      shown += fmt::format(" + (out{}_valid & {})", j, from(j, i));
      leaves += fmt::format(" | (moves_{} & {})", j, from(j, i));
    }
    add(fmt::format("wire [2:0] shown_{} = {};\n  wire leaves_{} = {};", i, shown, i, leaves));
    if (s_.buffers)
      state(fmt::format("inside_{}", i), bits_for(s_.buffers + 1),
            fmt::format("inside_{0} + enters_{0} - leaves_{0}", i));
    add(fmt::format("wire has_{} = {};", i, s_.buffers ? fmt::format("inside_{} != 0", i) : in + "valid"));
  }

  // One word of the watched input is marked when the solver likes; `ahead` stand before it. Without queues it
  // is in front from the cycle on in which it is offered.
  void watch() {
    const std::string n = std::to_string(watched_), in = fmt::format("in{}_", watched_);
    const std::string enters = fmt::format("(marks & enters_{})", n);
    if (s_.buffers) {
      state("ahead", bits_for(s_.buffers + 1),
            fmt::format("~marked ? inside_{0} - leaves_{0} : ahead - (leaves_{0} & ahead != 0)", n));
      add("wire front = marked & ~gone & ahead == 0;");
      if (ports_) state("aim", ports_, fmt::format("{} ? {}destination : aim", enters, in));
    } else {
      add(fmt::format("wire front = {}valid & marks;", in));
      if (ports_) add(fmt::format("wire {}aim = {}destination;", range(ports_), in));
    }
    state("marked", 1, "marked | " + enters);
    add(fmt::format("wire turn = front & leaves_{};", n));
    state("gone", 1, "gone | turn");
    std::string right = "1'b0", stray = "1'b0", foreign = "1'b0", passing = "1'b0", shown = "1'b0";
    for (int j = 0; j < s_.outputs; ++j) {
      const std::string here = is_port("aim", j), move = fmt::format("moves_{}", j);
      right += fmt::format(" | ({} & {} & {} & out{}_data == 8'd1)", here, move, from(j, watched_), j);
      stray += fmt::format(" | ({} & out{}_data != 8'd0)", move, j);
      foreign += fmt::format(" | (~{} & {} & out{}_data != 8'd0)", here, move, j);
      passing += fmt::format(" | ({} & {})", here, move);
      shown += fmt::format(" | ({} & out{}_valid)", here, j);
    }
    for (const auto& [name, value] : {std::pair{"right", right},
                                      {"stray", stray},
                                      {"foreign", foreign},
                                      {"passing", passing},
                                      {"shown", shown}})
      add(fmt::format("wire {} = {};", name, value));
    state("passed", bits_for(s_.inputs + 2),
          fmt::format("front ? passed + (passing & ~turn & passed <= {}) : 0", s_.inputs));
  }

  void judge() {
    std::string bad = "1'b0";
    switch (claim_) {
      case SwitchClaim::delivery:
        bad = "(turn ? ~right | foreign : stray)";
        for (int i = 0; i < s_.inputs; ++i)
          bad += s_.buffers ? fmt::format(" | (leaves_{0} & ~has_{0}) | (in{0}_ready != (inside_{0} < {1}))",
                                          i, s_.buffers)
                            : fmt::format(" | (leaves_{0} != enters_{0})", i);
        break;
      case SwitchClaim::one_grant:
        for (int i = 0; i < s_.inputs; ++i)
          bad += fmt::format(" | (shown_{0} > 3'd1) | (shown_{0} != 3'd0 & ~has_{0})", i);
        for (int j = 0; j < s_.outputs; ++j)
          if (s_.inputs != 1 << bits_for(s_.inputs))
            bad += fmt::format(" | (out{}_valid & out{}_source >= {})", j, j, s_.inputs);
        break;
      case SwitchClaim::stays:
        for (int j = 0; j < s_.outputs; ++j) {
          const std::string out = fmt::format("out{}_", j);
          const std::string source = s_.inputs > 1 ? out + "source" : "1'b0";
          state(fmt::format("held_{}", j), 1, fmt::format("{0}valid & ~{0}ready", out));
          state(fmt::format("held_word_{}", j), 8 + bits_for(s_.inputs),
                s_.inputs > 1 ? fmt::format("{{{}, {}data}}", source, out) : out + "data");
          bad += fmt::format(" | (held_{0} & (~{1}valid | held_word_{0} != {2}))", j, out,
                             s_.inputs > 1 ? fmt::format("{{{}, {}data}}", source, out) : out + "data");
        }
        break;
      case SwitchClaim::wait:
        bad = fmt::format("(front & ~shown) | passed >= {}", s_.inputs);
        break;
    }
    add(fmt::format("assign bad = started & ({});", bad));
  }

  SwitchClaim claim_;
  SwitchShape s_;
  int watched_;
  std::string unit_, free_, body_, pins_ = ".clk(clk), .rst(~started)";
  int ports_;
};

}  // namespace

Property switch_property(SwitchClaim claim, const SwitchShape& shape, int watched, const std::string& unit,
                         std::vector<std::string> unit_verilog) {
  unit_verilog.push_back(Harness(claim, shape, watched, unit).text());
  return {.top = "switch_property", .verilog = std::move(unit_verilog)};
}

}  // namespace verif
