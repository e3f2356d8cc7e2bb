#include "hw/banks/banked_l1d.h"

#include <fmt/format.h>

#include "hw/noc/switch.h"
#include "hw/prim/one_hot.h"
#include "hw/rtl/module_data.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit;

std::vector<Expr> reversed(const std::vector<Expr>& parts) { return {parts.rbegin(), parts.rend()}; }

std::size_t at(int n) { return static_cast<std::size_t>(n); }

int bits_of(const std::vector<rtl::Field>& fields) {
  int bits = 0;
  for (const rtl::Field& f : fields) bits += f.width;
  return bits;
}

// The fields of a word that begins at bit `low` of a vector, the first one highest.
std::vector<Expr> fields_in(const Expr& vector, const std::vector<rtl::Field>& fields, int low = 0) {
  std::vector<Expr> parts;
  int high = low + bits_of(fields);
  for (const rtl::Field& f : fields) {
    parts.push_back(vector.slice(high - 1, high - f.width));
    high -= f.width;
  }
  return parts;
}

// Fields as they are outside a bank: ids of so many bits more, and whole addresses.
std::vector<rtl::Field> widened(std::vector<rtl::Field> fields, int id_bits, int address_bits) {
  for (rtl::Field& f : fields) {
    if (f.name == "id") f.width += id_bits;
    if (f.name == "address") f.width += address_bits;
  }
  return fields;
}

// Ports of a bank that belong to no stream, but for its flush.
std::vector<rtl::Signal> passed_ports(const rtl::Module& cache) {
  std::vector<rtl::Signal> ports = rtl::other_ports(cache);
  std::erase_if(ports, [](const rtl::Signal& port) { return port.name.starts_with("flush_"); });
  return ports;
}

// A bank: the cache, behind an arbiter of the ports' requests.
rtl::Module bank_part(const BankedL1dParams& p, const rtl::Module& cache, const std::string& name) {
  rtl::Module m(name, fmt::format("A bank: a cache that serves {} ports in turn.", p.banks));
  const auto of_cache = [&](const char* stream) { return rtl::stream_of(cache, stream).fields; };
  const std::vector<rtl::Field> request = of_cache("core_request"),
                                arriving = widened(request, -bank_bits(p), 0);
  const int word_bits = bits_of(arriving);
  const Expr wanted = m.input("wanted", p.banks, "ports with a request for this bank"),
             words = m.input("words", p.banks * word_bits, "requests of all ports"),
             taken = m.output("taken", p.banks, "the port whose request enters at this edge, one-hot");
  rtl::Pins pins;
  const auto outwards = [&](const std::string& stream, const std::string& doc) {
    const std::vector<rtl::Field> fields = of_cache(stream.c_str());
    pins.emplace_back(stream + "_valid", m.output(stream + "_valid", 1, doc));
    pins.emplace_back(stream + "_ready", m.input(stream + "_ready", 1, "taken at this edge if valid"));
    const Expr word = m.output(stream, bits_of(fields), "fields of " + stream);
    const std::vector<Expr> parts = fields_in(word, fields);
    for (std::size_t i = 0; i < fields.size(); ++i)
      pins.emplace_back(fmt::format("{}_{}", stream, fields[i].name), parts[i]);
  };
  outwards("core_response", "the bank has an answer");
  outwards("memory_request", "the bank has a request to memory");
  for (auto& pin : rtl::pass_on(m, rtl::stream_of(cache, "memory_response"))) pins.push_back(pin);
  for (const rtl::Signal& port : rtl::other_ports(cache)) pins.push_back(rtl::pass_on(m, port));

  m.section("The request of the port that is served.");
  const Expr valid = m.wire("valid", 1, "a port has one"),
             ready = m.wire("ready", 1, "the cache takes a request"),
             port = m.wire("port", bank_bits(p), "the port that it comes from"),
             word = m.wire("word", word_bits, "fields of the request"),
             grant = m.wire("grant", p.banks, "the port that it comes from, one-hot");
  m.instance(switch_output(p.banks, word_bits, name + "_input"), "arbiter",
             {{"request", wanted},
              {"words", words},
              {"ready", ready},
              {"valid", valid},
              {"source", port},
              {"data", word},
              {"grant", grant}},
             "Ports in turn.");
  m.assign(taken, grant & rtl::replicate(p.banks, ready));
  pins.emplace_back("core_request_valid", valid);
  pins.emplace_back("core_request_ready", ready);
  const std::vector<Expr> parts = fields_in(word, arriving);
  for (std::size_t i = 0; i < request.size(); ++i)
    pins.emplace_back("core_request_" + request[i].name,
                      request[i].name == "id" ? cat({port, parts[i]}) : parts[i]);
  m.instance(cache, "cache", pins, "The lines of the bank.");
  return m;
}

class BankedL1dBuilder {
 public:
  BankedL1dBuilder(const BankedL1dParams& p, const rtl::Module& cache, rtl::Module& m)
      : banks_(p.banks),
        bits_(bank_bits(p)),
        offset_bits_(bits_to_number(p.l1d.line_bytes)),
        cache_(cache),
        part_(bank_part(p, cache, m.name() + "_bank")),
        m_(m) {}

  void run() {
    open();
    pass();
    const rtl::Pins asked = requests(), answering = responses(), fetching = requests_to_memory(),
                    filled = responses_of_memory();
    const Expr flushed = m_.wire("banks_ready", banks_, "banks that can take a flush");
    m_.section("The banks.");
    m_.repeat("banks", banks_, "A bank each.", [&](const Expr& b) {
      rtl::Pins pins{{"flush_valid", flush_}, {"flush_ready", flushed.at(b)}};
      for (const rtl::Pins& all : {asked, answering, fetching, filled, passed_})
        for (const auto& [name, e] : all) pins.emplace_back(name, shared(name) ? e : one_of(e, b));
      m_.instance(part_, "bank", pins, "A bank.");
    });
    m_.section("Flush.");
    m_.assign(flush_ready_, rtl::all(flushed));
  }

 private:
  std::vector<rtl::Field> fields(const char* stream) const { return rtl::stream_of(cache_, stream).fields; }

  // A bank's part of a vector, and what all banks see alike.
  Expr one_of(const Expr& all, const Expr& b) const {
    return all.width() == banks_ ? all.at(b) : all.part(b, all.width() / banks_);
  }
  static bool shared(const std::string& pin) {
    return pin == "words" || (pin.starts_with("memory_response_") && pin != "memory_response_valid" &&
                              pin != "memory_response_ready");
  }

  void open() {
    for (int p = 0; p < banks_; ++p) {
      request_.push_back(rtl::input_stream(m_, fmt::format("port{}_request", p),
                                           widened(fields("core_request"), -bits_, bits_),
                                           fmt::format("port {} has a request", p)));
      response_.push_back(rtl::output_stream(m_, fmt::format("port{}_response", p),
                                             widened(fields("core_response"), -bits_, 0),
                                             fmt::format("there is an answer for port {}", p)));
    }
    to_memory_.push_back(rtl::output_stream(
        m_, "memory_request", widened(fields("memory_request"), bits_, bits_), "a bank has a request"));
    of_memory_.push_back(rtl::input_stream(
        m_, "memory_response", widened(fields("memory_response"), bits_, 0), "memory answers a bank"));
    flush_ = m_.input("flush_valid", 1, "flush all banks");
    flush_ready_ = m_.output("flush_ready", 1, "the flush takes effect at this edge if valid");
  }

  // All other ports of a bank are the top's, and side by side.
  void pass() {
    std::vector<std::vector<Expr>> own;
    const std::vector<rtl::Signal> ports = passed_ports(cache_);
    for (const rtl::Signal& port : ports) {
      own.emplace_back();
      for (int b = 0; b < banks_; ++b) {
        const std::string name = fmt::format("bank{}_{}", b, port.name),
                          doc = fmt::format("bank {}: {}", b, port.doc);
        own.back().push_back(port.role == rtl::Role::input ? m_.input(name, port.width, doc)
                                                           : m_.output(name, port.width, doc));
      }
    }
    if (ports.empty()) return;
    m_.section("Ports of the banks side by side.");
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Expr all = m_.wire("banks_" + ports[i].name, banks_ * ports[i].width, ports[i].doc),
                 sides = cat(reversed(own[i]));
      ports[i].role == rtl::Role::input ? m_.assign(all, sides) : m_.assign(sides, all);
      passed_.emplace_back(ports[i].name, all);
    }
  }

  // Bit o*N + i: input i has a word for output o. `to` has the outputs of each input, one-hot.
  Expr for_outputs(const std::string& name, const std::vector<Expr>& to, const std::string& doc) {
    std::vector<Expr> of;
    for (int o = 0; o < banks_; ++o)
      for (const Expr& one : to) of.push_back(one.bit(o));
    return m_.let(name, cat(reversed(of)), doc);
  }

  // Inputs whose word leaves by one of the outputs.
  Expr leaving(const std::string& name, const Expr& of_outputs, const std::string& doc) {
    const Expr all = m_.wire(name, banks_, doc);
    m_.comb("By any of them.", [&] {
      m_.set(all, lit(banks_, 0));
      m_.loop("at", banks_, [&](const Expr& o) { m_.set(all, all | of_outputs.part(o, banks_)); });
    });
    return all;
  }

  rtl::Pins requests() {
    m_.section("Requests: the lowest bits of a line's number say its bank, which sees the other ones.");
    std::vector<Expr> to, words;
    for (int p = 0; p < banks_; ++p) {
      const rtl::Stream& port = request_[at(p)];
      const Expr address = port["address"];
      std::vector<Expr> parts;
      for (const rtl::Field& f : fields("core_request"))
        parts.push_back(f.name == "address" ? cat({address.slice(address.width() - 1, offset_bits_ + bits_),
                                                   address.slice(offset_bits_ - 1, 0)})
                                            : port[f.name]);
      to.push_back(one_hot_of(m_, fmt::format("port{}_bank", p), port.valid,
                              address.slice(offset_bits_ + bits_ - 1, offset_bits_), banks_,
                              fmt::format("bank that port {} asks for", p)));
      words.push_back(m_.let(fmt::format("word{}", p), cat(parts), fmt::format("request of port {}", p)));
    }
    const Expr wanted = for_outputs("to_bank", to, "bit b*N + p: port p asks for bank b"),
               all = m_.let("words", cat(reversed(words)), "requests of all ports"),
               taken = m_.wire("taken", banks_ * banks_, "bit b*N + p: bank b takes the request of port p"),
               leaves = leaving("ports_ready", taken, "ports whose request a bank takes");
    for (int p = 0; p < banks_; ++p) m_.assign(request_[at(p)].ready, leaves.bit(p));
    return {{"wanted", wanted}, {"words", all}, {"taken", taken}};
  }

  rtl::Pins responses() {
    m_.section("Answers: the highest bits of a bank's id say the port, which sees the other ones.");
    const std::vector<rtl::Field> banks = fields("core_response"), ports = widened(banks, -bits_, 0);
    const int bank_bits_of_word = bits_of(banks), port_bits = bits_of(ports);
    const Expr valid = m_.wire("answer_valid", banks_, "banks with an answer"),
               answers = m_.wire("answers", banks_ * bank_bits_of_word, "of all banks");
    std::vector<Expr> to, words, ready;
    for (int b = 0; b < banks_; ++b) {
      to.push_back(
          one_hot_of(m_, fmt::format("answer{}_port", b), valid.bit(b),
                     answers.slice((b + 1) * bank_bits_of_word - 1, (b + 1) * bank_bits_of_word - bits_),
                     banks_, fmt::format("port that the answer of bank {} is for", b)));
      words.push_back(answers.slice((b + 1) * bank_bits_of_word - bits_ - 1, b * bank_bits_of_word));
    }
    const Expr wanted = for_outputs("to_port", to, "bit p*N + b: bank b has an answer for port p"),
               all = m_.let("answer_words", cat(reversed(words)), "answers without their ports"),
               shown = m_.wire("shown", banks_, "ports with an answer"),
               word = m_.wire("shown_word", banks_ * port_bits, "fields of these answers"),
               grant =
                   m_.wire("shown_grant", banks_ * banks_, "bit p*N + b: port p has the answer of bank b");
    for (int p = 0; p < banks_; ++p) {
      const rtl::Stream& port = response_[at(p)];
      ready.push_back(port.ready);
      m_.assign(port.valid, shown.bit(p));
      const std::vector<Expr> parts = fields_in(word, ports, p * port_bits);
      for (std::size_t i = 0; i < ports.size(); ++i) m_.assign(port[ports[i].name], parts[i]);
    }
    const Expr takes = m_.let("ports_take", cat(reversed(ready)), "ports that take an answer");
    const Expr sources = m_.wire("unused_shown_source", banks_ * bits_, "an answer does not say its bank");
    m_.unused("unused_sources", sources, "an answer does not say its bank");
    const rtl::Module output = switch_output(banks_, port_bits, m_.name() + "_port");
    m_.repeat("ports", banks_, "Answers of a port each.", [&](const Expr& p) {
      m_.instance(output, "port",
                  {{"request", wanted.part(p, banks_)},
                   {"words", all},
                   {"ready", takes.at(p)},
                   {"valid", shown.at(p)},
                   {"source", sources.part(p, bits_)},
                   {"data", word.part(p, port_bits)},
                   {"grant", grant.part(p, banks_)}},
                  "Banks in turn.");
    });
    const Expr ready_of = m_.wire("answer_ready", banks_, "banks whose answer a port takes");
    m_.comb("A port takes the answer that it has.", [&] {
      m_.set(ready_of, lit(banks_, 0));
      m_.loop("to", banks_, [&](const Expr& p) {
        m_.set(ready_of, ready_of | (grant.part(p, banks_) & rtl::replicate(banks_, takes.at(p))));
      });
    });
    return {{"core_response_valid", valid}, {"core_response_ready", ready_of}, {"core_response", answers}};
  }

  rtl::Pins requests_to_memory() {
    m_.section("Requests to memory: the highest bits of an id say the bank.");
    const std::vector<rtl::Field> banks = fields("memory_request");
    const int word_bits = bits_of(banks);
    const rtl::Stream& out = to_memory_[0];
    const Expr valid = m_.wire("fetch_valid", banks_, "banks with a request"),
               fetches = m_.wire("fetches", banks_ * word_bits, "of all banks"),
               bank = m_.wire("fetch_bank", bits_, "the bank that is served"),
               word = m_.wire("fetch_word", word_bits, "fields of the request"),
               grant = m_.wire("fetch_grant", banks_, "the bank that is served, one-hot");
    m_.instance(switch_output(banks_, word_bits, m_.name() + "_memory"), "memory",
                {{"request", valid},
                 {"words", fetches},
                 {"ready", out.ready},
                 {"valid", out.valid},
                 {"source", bank},
                 {"data", word},
                 {"grant", grant}},
                "Banks in turn.");
    const std::vector<Expr> parts = fields_in(word, banks);
    for (std::size_t i = 0; i < banks.size(); ++i) {
      const std::string& name = banks[i].name;
      const Expr& own = parts[i];
      if (name == "id")
        m_.assign(out[name], cat({bank, own}));
      else if (name == "address")
        m_.assign(out[name], whole(word, own.width(), bits_below(banks, i), bank));
      else
        m_.assign(out[name], own);
    }
    return {{"memory_request_valid", valid},
            {"memory_request_ready", m_.let("fetch_ready", grant & rtl::replicate(banks_, out.ready),
                                            "the bank whose request memory takes, one-hot")},
            {"memory_request", fetches}};
  }

  static int bits_below(const std::vector<rtl::Field>& fields, std::size_t field) {
    return bits_of({fields.begin() + static_cast<std::ptrdiff_t>(field) + 1, fields.end()});
  }
  // The bank's number back in the address of a word.
  Expr whole(const Expr& word, int width, int low, const Expr& bank) const {
    return cat(
        {word.slice(low + width - 1, low + offset_bits_), bank, word.slice(low + offset_bits_ - 1, low)});
  }

  rtl::Pins responses_of_memory() {
    m_.section("Answers of memory.");
    const rtl::Stream& in = of_memory_[0];
    const Expr id = in["id"], bank = id.slice(id.width() - 1, id.width() - bits_),
               valid = one_hot_of(m_, "fill_valid", in.valid, bank, banks_, "the bank that is answered"),
               ready = m_.wire("fill_ready", banks_, "banks that take the answer");
    m_.assign(in.ready, rtl::any(valid & ready));
    rtl::Pins pins{{"memory_response_valid", valid}, {"memory_response_ready", ready}};
    for (const rtl::Field& f : fields("memory_response"))
      pins.emplace_back("memory_response_" + f.name,
                        f.name == "id" ? id.slice(id.width() - bits_ - 1, 0) : in[f.name]);
    return pins;
  }

  const int banks_, bits_, offset_bits_;
  const rtl::Module cache_, part_;
  rtl::Module& m_;
  std::vector<rtl::Stream> request_, response_;     // of each port
  std::vector<rtl::Stream> to_memory_, of_memory_;  // one each
  Expr flush_, flush_ready_;
  rtl::Pins passed_;
};

}  // namespace

L1d banked_l1d(const BankedL1dParams& p, const std::string& name) {
  check(p);
  check_built(p);
  L1d unit = l1d(bank_of(p), name + "_cache");
  rtl::Module m(name, fmt::format("L1 data cache of {} bytes in {} banks, with as many ports.",
                                  p.l1d.capacity_bytes, p.banks));
  BankedL1dBuilder(p, unit.module, m).run();
  unit.module = m;
  unit.facts.memory_id_bits += bank_bits(p);
  for (RamArray& array : unit.facts.arrays) array.count *= p.banks;
  for (auto& [group, bits] : unit.facts.flops) bits *= p.banks;
  return unit;
}

}  // namespace hw
