#include "hw/noc/routed_switch.h"

#include <fmt/format.h>

#include "hw/check/check_params.h"
#include "hw/noc/link.h"
#include "hw/noc/vc_choice.h"
#include "hw/noc/vc_crossbar.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr;

class RoutedSwitchBuilder {
 public:
  RoutedSwitchBuilder(rtl::Module& m, const RoutedSwitch& s)
      : m_(m),
        s_(s),
        vc_bits_(bits_to_number(s.crossbar.vcs)),
        data_bits_(8 * s.crossbar.flit_bytes),
        port_bits_(bits_to_number(s.crossbar.inputs)) {}

  void run() {
    const int ports = s_.crossbar.inputs;
    for (int i = 0; i < ports; ++i) in_.push_back(port(i, true));
    for (int j = 0; j < ports; ++j) out_.push_back(port(j, false));
    m_.section("Routes of heads that enter.");
    for (int i = 0; i < ports; ++i) enter(i);
    m_.section(s_.links);
    for (int j = 0; j < ports; ++j) leave(j);
    m_.unused("unused_sources", cat(sources_), "where a flit comes from says nothing of where it goes");
    const VcRule& rule = vc_bits_ ? kept_vc() : any_vc();  // the only one is kept
    if (s_.crossbar.checks) checks();
    m_.instance(vc_crossbar(s_.crossbar, s_.crossbar_name, rule), "crossbar", pins_, "Flits of all ports.");
  }

 private:
  struct Signals {
    Expr valid, head, tail, destination, data, credit_valid;
    std::optional<Expr> vc, side, credit_vc;  // a port of no bits does not exist
  };

  const RoutedSwitch::Port& at(int n) const { return s_.ports[static_cast<std::size_t>(n)]; }

  Signals port(int n, bool enters) {
    const std::string port = fmt::format("{}{}_", enters ? "in" : "out", n);
    const auto flit = [&](const char* name, int width, const std::string& doc) {
      return enters ? m_.input(port + name, width, doc) : m_.output(port + name, width, doc);
    };
    const auto credit = [&](const char* name, int width, const std::string& doc) {
      return enters ? m_.output(port + name, width, doc) : m_.input(port + name, width, doc);
    };
    Signals made;
    made.valid =
        flit("valid", 1,
             fmt::format("a flit {} {}, {}", enters ? "enters input" : "leaves output", n, at(n).where));
    if (vc_bits_) made.vc = flit("vc", vc_bits_, "VC of the flit");
    made.head = flit("head", 1, "first of its packet");
    made.tail = flit("tail", 1, "last of its packet");
    made.destination = flit("destination", s_.destination_bits, s_.destination);
    if (s_.side_bits) made.side = flit("side", s_.side_bits, "carried beside the data");
    made.data = flit("data", data_bits_, "payload of the flit");
    made.credit_valid =
        credit("credit_valid", 1, enters ? "a flit has left its queue" : "the receiver has freed a slot");
    if (vc_bits_)
      made.credit_vc = credit("credit_vc", vc_bits_, enters ? "VC of the queue" : "VC of the freed slot");
    return made;
  }

  Expr beside(const Signals& port) const {
    return port.side ? cat({port.destination, *port.side}) : port.destination;
  }

  void pin(const std::string& name, const std::optional<Expr>& value) {
    if (value) pins_.emplace_back(name, *value);
  }

  void enter(int i) {
    const Signals& port = in_[static_cast<std::size_t>(i)];
    const Expr output =
        m_.wire(fmt::format("route{}", i), port_bits_, fmt::format("output of a head at input {}", i));
    auto routed = s_.constants;
    routed.insert(routed.end(), {{"destination", port.destination}, {"port", output}});
    m_.instance(s_.route, fmt::format("route_of{}", i), routed, fmt::format("Of input {}.", i));
    const std::string name = fmt::format("in{}_", i);
    pin(name + "valid", port.valid);
    pin(name + "vc", port.vc);
    pin(name + "head", port.head);
    pin(name + "tail", port.tail);
    pin(name + "destination", output);
    pin(name + "side", beside(port));
    pin(name + "data", port.data);
    const auto linked_credit =
        linked(name + "credit", i, at(i).links_credits, port.credit_valid, port.credit_vc);
    pin(name + "credit_valid", linked_credit.first);
    pin(name + "credit_vc", linked_credit.second);
  }

  // The crossbar sees all that its neighbours send, where it enters.
  void checks() {
    pin("protocol_error", m_.output("protocol_error", 1, "a neighbour has broken a rule since reset"));
    pin("protocol_error_code",
        m_.output("protocol_error_code", protocol_code_bits, "rule that was broken first; 0 for none"));
  }

  // What drives these ports: a link's far end, or the ports themselves where there is no link.
  std::pair<Expr, std::optional<Expr>> linked(const std::string& name, int n, bool links, const Expr& valid,
                                              const std::optional<Expr>& word) {
    if (!links || s_.link_stages == 0) return {valid, word};
    const Expr from_valid = m_.wire(name + "_sent", 1, fmt::format("for the link {}", at(n).where));
    std::vector<std::pair<std::string, Expr>> pins{{"in_valid", from_valid}};
    std::optional<Expr> from_word;
    if (word) {
      from_word =
          m_.wire(name + "_word", word->width(), fmt::format("the word that the link {} takes", at(n).where));
      pins.emplace_back("in_word", *from_word);
    }
    pins.emplace_back("out_valid", valid);
    if (word) pins.emplace_back("out_word", *word);
    m_.instance(link(s_.link_stages, word ? word->width() : 0), name + "_link", pins,
                fmt::format("Link {}.", at(n).where));
    return {from_valid, from_word};
  }

  void leave(int j) {
    const Signals& port = out_[static_cast<std::size_t>(j)];
    const std::string name = fmt::format("out{}_", j);
    std::vector<Expr> fields{port.head, port.tail, port.destination};
    if (port.vc) fields.insert(fields.begin(), *port.vc);
    if (port.side) fields.push_back(*port.side);
    fields.push_back(port.data);
    const Expr flit = cat(fields);
    const auto [valid, sent] = linked(name + "flit", j, at(j).links_flits, port.valid, flit);
    pin(name + "valid", valid);
    if (at(j).links_flits && s_.link_stages > 0) {
      const Expr& word = *sent;
      const int width = flit.width(), head = width - vc_bits_ - 1;
      if (vc_bits_) pin(name + "vc", word.slice(width - 1, width - vc_bits_));
      pin(name + "head", word.bit(head));
      pin(name + "tail", word.bit(head - 1));
      pin(name + "side", word.slice(head - 2, data_bits_));
      pin(name + "data", word.slice(data_bits_ - 1, 0));
    } else {
      pin(name + "vc", port.vc);
      pin(name + "head", port.head);
      pin(name + "tail", port.tail);
      pin(name + "side", beside(port));
      pin(name + "data", port.data);
    }
    sources_.push_back(m_.wire(name + "source", port_bits_, "input of the flit"));
    pin(name + "source", sources_.back());
    pin(name + "credit_valid", port.credit_valid);
    pin(name + "credit_vc", port.credit_vc);
  }

  rtl::Module& m_;
  const RoutedSwitch& s_;
  const int vc_bits_, data_bits_, port_bits_;
  std::vector<Signals> in_, out_;
  std::vector<Expr> sources_;
  std::vector<std::pair<std::string, Expr>> pins_;  // of the crossbar
};

}  // namespace

void add_routed_switch(rtl::Module& m, const RoutedSwitch& s) { RoutedSwitchBuilder(m, s).run(); }

}  // namespace hw
