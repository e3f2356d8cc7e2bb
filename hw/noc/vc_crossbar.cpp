#include "hw/noc/vc_crossbar.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "hw/check/first_error.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/vc_check.h"
#include "hw/noc/vc_input.h"
#include "hw/noc/vc_output.h"
#include "hw/noc/vc_queue.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr;

class VcCrossbarBuilder {
 private:
  // A port of the crossbar and its counterpart of an input's or output's module.
  struct Pin {
    std::string name;
    int width;
    bool enters;
    std::string doc;
  };
  using Pins = std::vector<std::pair<std::string, Expr>>;

 public:
  VcCrossbarBuilder(const CrossbarParams& p, const VcRule& rule, rtl::Module& m)
      : p_(p), rule_(rule), m_(m), input_vcs_(p.inputs * p.vcs) {}

  void run() {
    for (int i = 0; i < p_.inputs; ++i) inputs_.push_back(input_ports(i));
    for (int j = 0; j < p_.outputs; ++j) outputs_.push_back(output_ports(j));
    wires();
    m_.section("The inputs.");
    const rtl::Module input = vc_input(p_);
    for (int i = 0; i < p_.inputs; ++i)
      m_.instance(input, fmt::format("input{}", i), input_pins(i), fmt::format("Input {}.", i));
    m_.section("The outputs.");
    const rtl::Module output = vc_output(p_, rule_);
    for (int j = 0; j < p_.outputs; ++j)
      m_.instance(output, fmt::format("output{}", j), output_pins(j), fmt::format("Output {}.", j));
    if (p_.checks) checks();
  }

 private:
  struct Side {
    Pins pins = {};
    Expr word = {};  // out: side and data of its flit
  };

  void add(Side& side, const std::string& port, const Pin& pin) {
    if (pin.width == 0) return;
    const std::string name = port + "_" + pin.name;
    side.pins.emplace_back(
        pin.name, pin.enters ? m_.input(name, pin.width, pin.doc) : m_.output(name, pin.width, pin.doc));
  }

  Side input_ports(int i) {
    Side side;
    const std::string port = fmt::format("in{}", i);
    add(side, port, {"valid", 1, true, fmt::format("a flit enters input {}", i)});
    add(side, port, {"vc", bits_to_number(p_.vcs), true, "VC of the flit"});
    add(side, port, {"head", 1, true, "first of its packet"});
    add(side, port, {"tail", 1, true, "last of its packet"});
    add(side, port,
        {"destination", bits_to_number(p_.outputs), true,
         fmt::format("output, below {}; on heads", p_.outputs)});
    std::vector<Expr> word;
    if (p_.side_bits) word.push_back(m_.input(port + "_side", p_.side_bits, "carried beside the data"));
    word.push_back(m_.input(port + "_data", 8 * p_.flit_bytes, "payload of the flit"));
    side.pins.emplace_back("entering", cat(word));
    add(side, port, {"credit_valid", 1, false, "a flit has left its queue"});
    add(side, port, {"credit_vc", bits_to_number(p_.vcs), false, "the queue's VC"});
    return side;
  }

  Side output_ports(int j) {
    Side side;
    const std::string port = fmt::format("out{}", j);
    add(side, port, {"valid", 1, false, fmt::format("a flit leaves output {}", j)});
    add(side, port, {"vc", bits_to_number(p_.vcs), false, "VC of the flit"});
    add(side, port, {"head", 1, false, "first of its packet"});
    add(side, port, {"tail", 1, false, "last of its packet"});
    add(side, port, {"source", bits_to_number(p_.inputs), false, "input that it comes from"});
    const int data = 8 * p_.flit_bytes;
    if (p_.side_bits) {
      const Expr beside = m_.output(port + "_side", p_.side_bits, "carried beside the data");
      const Expr out = m_.output(port + "_data", data, "payload of the flit");
      side.word = m_.wire(port + "_word", data + p_.side_bits, fmt::format("side and data of output {}", j));
      m_.assign(beside, side.word.slice(data + p_.side_bits - 1, data));
      m_.assign(out, side.word.slice(data - 1, 0));
    } else {
      side.word = m_.output(port + "_data", data, "payload of the flit");
    }
    side.pins.emplace_back("word", side.word);
    add(side, port, {"credit_valid", 1, true, "the receiver has freed a slot"});
    add(side, port, {"credit_vc", bits_to_number(p_.vcs), true, "VC of the freed slot"});
    return side;
  }

  void wires() {
    m_.section("Between inputs and outputs.");
    const int pairs = input_vcs_ * p_.outputs;
    words_ = m_.wire("words", p_.inputs * word_bits(p_), "side and data of the flit that leaves each input");
    holds_ = m_.wire("holds", input_vcs_, "bit i*V + v: VC v of input i has a flit in front");
    if (p_.outputs > 1)
      empty_ = m_.wire("empty", input_vcs_, "bit i*V + v: it has none; for every second output");
    ends_ =
        m_.wire("ends", p_.inputs * p_.outputs, "bit i*J + j: the last flit of a packet goes from i to j");
    heads_ = m_.wire("heads", pairs, "bit i*J*V + j*V + v: it is a head for output j");
    for (int t = 1; t <= p_.iterations; ++t) {
      offers_.push_back(m_.wire(fmt::format("offers_{}", t), p_.inputs * p_.outputs,
                                "bit j*I + i: output j offers to input i"));
      offer_vcs_.push_back(m_.wire(fmt::format("offer_vcs_{}", t), p_.outputs * p_.vcs,
                                   "bit j*V + v: should output j offer, then to VC v"));
      accepted_.push_back(m_.wire(fmt::format("accepted_{}", t), p_.inputs * p_.outputs,
                                  "bit i*J + j: input i accepts output j's offer"));
      if (t > 1) open_.push_back(m_.wire(fmt::format("open_{}", t), p_.inputs, "inputs without a match"));
    }
  }

  static Expr part(const Expr& bits, int n, int width) {
    return bits.width() == width ? bits : bits.slice((n + 1) * width - 1, n * width);
  }
  Pins input_pins(int i) const {
    Pins pins = inputs_[static_cast<std::size_t>(i)].pins;
    pins.emplace_back("holds", part(holds_, i, p_.vcs));
    if (empty_) pins.emplace_back("empty", part(*empty_, i, p_.vcs));
    pins.emplace_back("heads", part(heads_, i, p_.outputs * p_.vcs));
    pins.emplace_back("ends", part(ends_, i, p_.outputs));
    for (int t = 1; t <= p_.iterations; ++t) {
      const auto at = static_cast<std::size_t>(t - 1);
      pins.emplace_back(fmt::format("offer_{}", t), slices(offers_[at], p_.outputs, p_.inputs, i, 1));
      pins.emplace_back(fmt::format("offer_vc_{}", t), offer_vcs_[at]);
      pins.emplace_back(fmt::format("accepted_{}", t), part(accepted_[at], i, p_.outputs));
      if (t > 1) pins.emplace_back(fmt::format("open_{}", t), part(open_[at - 1], i, 1));
    }
    pins.emplace_back("word", part(words_, i, word_bits(p_)));
    return pins;
  }

  Pins output_pins(int j) const {
    Pins pins = outputs_[static_cast<std::size_t>(j)].pins;
    pins.emplace_back("heads", slices(heads_, p_.inputs, p_.outputs * p_.vcs, j, p_.vcs));
    pins.emplace_back("holds", j % 2 ? ~*empty_ : holds_);
    pins.emplace_back("ends", slices(ends_, p_.inputs, p_.outputs, j, 1));
    for (int t = 1; t <= p_.iterations; ++t) {
      const auto at = static_cast<std::size_t>(t - 1);
      if (t > 1) pins.emplace_back(fmt::format("open_{}", t), open_[at - 1]);
      pins.emplace_back(fmt::format("offer_{}", t), part(offers_[at], j, p_.inputs));
      pins.emplace_back(fmt::format("offer_vc_{}", t), part(offer_vcs_[at], j, p_.vcs));
      pins.emplace_back(fmt::format("accepted_{}", t), slices(accepted_[at], p_.inputs, p_.outputs, j, 1));
    }
    pins.emplace_back("words", words_);
    return pins;
  }

  // Those of the port's pins that the check of it has.
  static Pins checked(const Side& side, const rtl::Module& check) {
    const auto ports = rtl::other_ports(check);
    Pins pins;
    std::ranges::copy_if(side.pins, std::back_inserter(pins), [&](const auto& pin) {
      return std::ranges::count(ports, pin.first, &rtl::Signal::name) > 0;
    });
    return pins;
  }

  void checks() {
    m_.section("Inputs from the neighbours.");
    const Expr overflow = m_.wire("overflow", p_.inputs, "inputs with a flit that has no credit");
    const Expr broken = m_.wire("broken", p_.inputs, "inputs with a flit that does not follow");
    const Expr excess = m_.wire("excess", p_.outputs, "outputs with a credit for no flit");
    const rtl::Module input = vc_input_check(p_), output = vc_output_check(p_);
    for (int i = 0; i < p_.inputs; ++i) {
      Pins pins = checked(inputs_[static_cast<std::size_t>(i)], input);
      pins.emplace_back("overflow", part(overflow, i, 1));
      pins.emplace_back("broken", part(broken, i, 1));
      m_.instance(input, fmt::format("input{}_check", i), pins, fmt::format("Of input {}.", i));
    }
    for (int j = 0; j < p_.outputs; ++j) {
      Pins pins = checked(outputs_[static_cast<std::size_t>(j)], output);
      pins.emplace_back("excess", part(excess, j, 1));
      m_.instance(output, fmt::format("output{}_check", j), pins, fmt::format("Of output {}.", j));
    }
    const Expr code = m_.wire("protocol_code", protocol_code_bits, "rule that was broken first; 0 for none");
    keep_first_error(m_,
                     {{rtl::any(excess), ProtocolError::credit_excess},
                      {rtl::any(overflow), ProtocolError::queue_full},
                      {rtl::any(broken), ProtocolError::packet_broken}},
                     code);
    add_protocol_ports(m_, code);
  }

  // Of each of `rows` rows of `row` bits part n of `width` bits, the last row first.
  static Expr slices(const Expr& bits, int rows, int row, int n, int width) {
    std::vector<Expr> parts;
    for (int r = rows - 1; r >= 0; --r) {
      const int low = r * row + n * width;
      parts.push_back(bits.width() == width ? bits : bits.slice(low + width - 1, low));
    }
    return cat(parts);
  }

  const CrossbarParams& p_;
  const VcRule& rule_;
  rtl::Module& m_;
  int input_vcs_;
  std::vector<Side> inputs_, outputs_;
  Expr words_, holds_, ends_, heads_;
  std::optional<Expr> empty_;                               // where there is a second output
  std::vector<Expr> offers_, offer_vcs_, accepted_, open_;  // by iteration
};

}  // namespace

void check(const CrossbarParams& p) {
  require_in(CrossbarRanges::inputs, "crossbar.inputs", p.inputs, "use 8");
  require_in(CrossbarRanges::outputs, "crossbar.outputs", p.outputs, "use 4");
  require_in(CrossbarRanges::flit_bytes, "crossbar.flit_bytes", p.flit_bytes,
             "use 32, a chunk of the reference cache");
  require_in(CrossbarRanges::side_bits, "crossbar.side_bits", p.side_bits,
             "use 0 for nothing beside the data");
  require_in(CrossbarRanges::vcs, "crossbar.vcs", p.vcs, "use 4");
  require_in(CrossbarRanges::vc_depth, "crossbar.vc_depth", p.vc_depth,
             "use 4, which keeps one VC at full rate");
  require_in(CrossbarRanges::iterations, "crossbar.iterations", p.iterations,
             "use 1, which alone bounds every wait");
}

rtl::Module vc_crossbar(const CrossbarParams& p, const std::string& name, const VcRule& rule) {
  check(p);
  rtl::Module m(name,
                fmt::format("Crossbar of I = {} inputs and J = {} outputs with V = {} virtual channels of "
                            "{} flits of {} bytes, iSLIP with {} iteration{} (DC-L1 thesis, chapter 5).",
                            p.inputs, p.outputs, p.vcs, p.vc_depth, p.flit_bytes, p.iterations,
                            p.iterations == 1 ? "" : "s"));
  VcCrossbarBuilder(p, rule, m).run();
  return m;
}

}  // namespace hw
