#include "hw/noc/switch.h"

#include <optional>

#include "hw/noc/noc_ranges.h"
#include "hw/noc/round_robin.h"
#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::replicate;

std::vector<Expr> reversed(const std::vector<Expr>& parts) { return {parts.rbegin(), parts.rend()}; }

// The choice decides the longest path: the fast form where there is one. The masks of the upper half are
// found from above, so that no position waits for more than half of the others.
RoundRobin chosen(rtl::Module& m, const Expr& request, const Expr& pointer) {
  const int n = request.width();
  if (n > widest_direct_choice) return round_robin(m, request, pointer, true);
  const Expr rest = m.let("rest", pointer.slice(n - 1, 1), "the pointer's mask without position 0");
  const Expr grant = m.let("chosen", direct_choice(m, request, rest, pointer.bit(0), true),
                           "the input that is served, one-hot");
  std::vector<Expr> from{rtl::lit(1, 1)};
  for (int i = n - 2; i >= 0; --i)
    from.push_back(i < n / 2 ? rtl::any(grant.slice(i, 0)) : ~rtl::any(grant.slice(n - 1, i + 1)));
  const Expr stay = m.let("stay", cat(from), "the chosen position and those behind it, where one is chosen");
  return {grant, rtl::any(grant), cat({stay.slice(n - 2, 0), rtl::lit(1, 0)}), stay};
}

}  // namespace

rtl::Module switch_output(int inputs, int width, const std::string& name) {
  const int source_bits = bits_to_number(inputs);
  rtl::Module m(
      name,
      fmt::format("One output of a switch: serves {} inputs in turn (DC-L1 thesis, chapter 5).", inputs));
  const auto request = m.input("request", inputs, "inputs with a word for this output");
  const auto words = m.input("words", inputs * width, "the words of all inputs");
  const auto ready = m.input("ready", 1, "the word is taken at this edge");
  const auto valid = m.output("valid", 1, "there is a word");
  const auto source = m.output("source", source_bits, "the input that it comes from");
  const auto data = m.output("data", width, "the word");
  const auto grant = m.output("grant", inputs, "the input that it comes from, one-hot");
  const auto pointer =
      m.reg("pointer_q", pointer_bits(inputs, true), 0, "the input that is asked first, as a mask");
  const RoundRobin choice = chosen(m, request, pointer);

  m.section("The word of the chosen input.");
  m.assign(grant, choice.grant);
  m.assign(valid, choice.any);
  // Two words share an AND-OR gate; with an odd number of inputs the last word stands alone.
  const int half = inputs / 2;
  const bool odd = inputs % 2 > 0;
  const Expr lower =
      m.let("lower_words", words.slice(half * width - 1, 0), "words of the lower half of the inputs");
  const Expr upper =
      m.let("upper_words", words.slice(2 * half * width - 1, half * width), "words of the upper half");
  const Expr to_lower = m.let("lower_grant", grant.slice(half - 1, 0), "the served input of the lower half");
  const Expr to_upper =
      m.let("upper_grant", grant.slice(2 * half - 1, half), "the served input of the upper half");
  m.comb("The chosen input's number and word, by AND and OR.", [&] {
    m.set(source, rtl::lit(source_bits, 0));
    m.loop("number", inputs, [&](const Expr& i) {
      m.set(source, source | (i.slice(source_bits - 1, 0) & replicate(source_bits, grant.at(i))));
    });
    const auto given = [&](const Expr& word, const Expr& to) { return word & replicate(width, to); };
    m.set(data, odd ? given(words.slice(inputs * width - 1, 2 * half * width), grant.bit(inputs - 1))
                    : rtl::lit(width, 0));
    m.loop("pair", half, [&](const Expr& i) {
      m.set(data,
            data | given(lower.part(i, width), to_lower.at(i)) | given(upper.part(i, width), to_upper.at(i)));
    });
  });
  m.clocked("A word that is taken moves the pointer past its input; a word that waits keeps it there.",
            [&] { m.when(choice.any, [&] { m.set(pointer, rtl::mux(ready, choice.next, choice.stay)); }); });
  return m;
}

namespace {

class SwitchBuilder {
 public:
  SwitchBuilder(const SwitchParams& p, rtl::Module& m) : p_(p), m_(m), width_(8 * p.flit_bytes) {}

  void run() {
    std::vector<rtl::Field> in_fields, out_fields;
    if (p_.outputs > 1)
      in_fields.push_back(
          {"destination", bits_to_number(p_.outputs), fmt::format("output, below {}", p_.outputs)});
    if (p_.inputs > 1)
      out_fields.push_back({"source", bits_to_number(p_.inputs), "input that it comes from"});
    for (auto* fields : {&in_fields, &out_fields}) fields->push_back({"data", width_, "word"});
    for (int i = 0; i < p_.inputs; ++i)
      in_.push_back(
          rtl::input_stream(m_, fmt::format("in{}", i), in_fields, fmt::format("input {} has a word", i)));
    for (int j = 0; j < p_.outputs; ++j)
      out_.push_back(rtl::output_stream(m_, fmt::format("out{}", j), out_fields,
                                        fmt::format("output {} has a word", j)));
    fronts();
    wanted();
    outputs();
    accept();
  }

 private:
  struct Front {
    Expr valid;
    std::optional<Expr> destination;  // of several outputs
    Expr data, taken;
  };

  // What each input has to give: its stream, or the front of its FIFO.
  void fronts() {
    const int address = bits_to_number(p_.outputs);
    taken_ = m_.wire("taken", p_.inputs, "inputs whose word leaves at this edge");
    if (p_.buffers) m_.section("A queue at each input.");
    for (int i = 0; i < p_.inputs; ++i) {
      const auto& in = in_[i];
      const Expr taken = p_.inputs == 1 ? taken_ : taken_.bit(i);
      if (!p_.buffers) {
        front_.push_back(
            {in.valid, p_.outputs > 1 ? std::optional(in["destination"]) : std::nullopt, in["data"], taken});
        continue;
      }
      const Expr valid = m_.wire(fmt::format("front{}_valid", i), 1, "there is a word in front");
      const Expr word = m_.wire(fmt::format("front{}", i), address + width_, "destination and word in front");
      m_.instance(fifo(p_.buffers, address + width_), fmt::format("queue{}", i),
                  {{"in_valid", in.valid},
                   {"in_ready", in.ready},
                   {"in_data", address ? cat({in["destination"], in["data"]}) : in["data"]},
                   {"out_valid", valid},
                   {"out_ready", taken},
                   {"out_data", word}},
                  fmt::format("Words of input {}.", i));
      front_.push_back({valid,
                        address ? std::optional(word.slice(address + width_ - 1, width_)) : std::nullopt,
                        word.slice(width_ - 1, 0), taken});
    }
  }

  void wanted() {
    m_.section("Inputs with a word for each output.");
    std::vector<Expr> valid, destination, words, ready;
    for (const Front& f : front_) {
      valid.push_back(f.valid);
      if (p_.outputs > 1) destination.push_back(*f.destination);
      words.push_back(f.data);
    }
    const Expr asking = m_.let("asking", cat(reversed(valid)), "inputs with a word");
    wanted_ = p_.outputs == 1 ? asking : by_output(asking, destination);
    for (const auto& out : out_) ready.push_back(out.ready);
    words_ = m_.let("words", cat(reversed(words)), "all inputs' words");
    ready_ =
        m_.let("ready", cat(reversed(ready)), "outputs whose word is taken at this edge, if there is one");
  }

  // Compares each destination with each output.
  Expr by_output(const Expr& asking, const std::vector<Expr>& destination) {
    std::vector<Expr> of;
    for (int j = 0; j < p_.outputs; ++j) {
      std::vector<Expr> equal;
      for (const Expr& to : destination)
        equal.push_back(to == rtl::lit(to.width(), static_cast<std::uint64_t>(j)));
      of.push_back(m_.let(fmt::format("to_output{}", j), cat(reversed(equal)),
                          fmt::format("inputs whose word, if there is one, is for output {}", j)));
    }
    return m_.let("wanted", rtl::replicate(p_.outputs, asking) & cat(reversed(of)),
                  "bit j*I + i: input i has a word for output j");
  }

  void outputs() {
    const int source_bits = bits_to_number(p_.inputs);
    if (p_.inputs == 1) {
      granted_ = wanted_;
      for (int j = 0; j < p_.outputs; ++j) {
        m_.assign(out_[j].valid, p_.outputs == 1 ? wanted_ : wanted_.bit(j));
        m_.assign(out_[j]["data"], words_);
      }
      return;
    }
    m_.section("The outputs.");
    granted_ = m_.wire("granted", p_.inputs * p_.outputs, "bit j*I + i: output j has the word of input i");
    const Expr valid = m_.wire("valid", p_.outputs, "outputs with a word");
    const Expr sources = m_.wire("sources", p_.outputs * source_bits, "where it comes from");
    const Expr data = m_.wire("data", p_.outputs * width_, "the words");
    const rtl::Module port =
        switch_output(p_.inputs, width_, fmt::format("switch_output_i{}_f{}", p_.inputs, p_.flit_bytes));
    const auto output = [&](const std::string& name, const auto& of) {
      m_.instance(port, name,
                  {{"request", of(wanted_, p_.inputs)},
                   {"words", words_},
                   {"ready", of(ready_, 1)},
                   {"valid", of(valid, 1)},
                   {"source", of(sources, source_bits)},
                   {"data", of(data, width_)},
                   {"grant", of(granted_, p_.inputs)}},
                  "The arbiter and multiplexer of an output.");
    };
    if (p_.outputs == 1)
      output("port", [](const Expr& x, int) { return x; });
    else
      m_.repeat("each_output", p_.outputs, "Every output serves its inputs round-robin.", [&](const Expr& j) {
        output("port", [&](const Expr& x, int width) { return x.part(j, width); });
      });
    for (int j = 0; j < p_.outputs; ++j) {
      m_.assign(out_[j].valid, p_.outputs == 1 ? valid : valid.bit(j));
      m_.assign(out_[j]["source"], sources.slice((j + 1) * source_bits - 1, j * source_bits));
      m_.assign(out_[j]["data"], data.slice((j + 1) * width_ - 1, j * width_));
    }
  }

  void accept() {
    m_.section("The words that leave.");
    if (p_.outputs == 1) {
      m_.assign(taken_, granted_ & replicate(p_.inputs, ready_));
    } else {
      m_.comb("A word leaves when the output that has it is ready.", [&] {
        m_.set(taken_, rtl::lit(p_.inputs, 0));
        m_.loop("at", p_.outputs, [&](const Expr& j) {
          m_.set(taken_, taken_ | (granted_.part(j, p_.inputs) & replicate(p_.inputs, ready_.at(j))));
        });
      });
    }
    if (!p_.buffers)
      for (int i = 0; i < p_.inputs; ++i) m_.assign(in_[i].ready, front_[i].taken);
  }

  const SwitchParams& p_;
  rtl::Module& m_;
  int width_;
  std::vector<rtl::Stream> in_, out_;
  std::vector<Front> front_;
  Expr taken_, wanted_, words_, ready_, granted_;
};

}  // namespace

void check(const SwitchParams& p) {
  require_in(SwitchRanges::inputs, "switch.inputs", p.inputs, "use 8");
  require_in(SwitchRanges::outputs, "switch.outputs", p.outputs, "use 4");
  require_in(SwitchRanges::flit_bytes, "switch.flit_bytes", p.flit_bytes,
             "use 32, a chunk of the reference cache");
  require_in(SwitchRanges::buffers, "switch.buffers", p.buffers, "use 0 for none, or 2 for full rate");
}

rtl::Module word_switch(const SwitchParams& p, const std::string& name) {
  check(p);
  const std::string queues = p.buffers ? fmt::format("a queue of {} at each input", p.buffers) : "no buffers";
  rtl::Module m(
      name,
      fmt::format("Switch of I = {} inputs and J = {} outputs, words of {} bytes, {}, round-robin (DC-L1 "
                  "thesis, chapter 5).",
                  p.inputs, p.outputs, p.flit_bytes, queues));
  SwitchBuilder(p, m).run();
  return m;
}

}  // namespace hw
