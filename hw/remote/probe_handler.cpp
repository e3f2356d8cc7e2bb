#include "hw/remote/probe_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hw/geometry_ranges.h"
#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector_params.h"
#include "hw/remote/probe_steps.h"
#include "hw/remote/remote_ranges.h"
#include "hw/require.h"
#include "hw/rtl/stream.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::zext;

// A probe as queues hold it.
struct ProbeWord {
  Expr leader, group, targets, pointer, line;

  Expr word() const { return cat({leader, group, targets, pointer, line}); }
};

class ProbeHandlerBuilder {
 public:
  ProbeHandlerBuilder(const ProbeHandlerParams& p, const std::string& name)
      : p_(p),
        word_bits_(probe_word_bits(p)),
        core_bits_(core_or_none_bits(p.cores)),
        m_(name,
           "Probes of other cores at the L1 that they search: they wait for it, and go on, go back or "
           "are answered with the line (DC-L1 thesis, section 3.3.4)."),
        step_(probe_step(p, name + "_step")),
        way_(probe_way(p, name + "_way")) {}

  rtl::Module run() {
    ports();
    arrivals();
    snoops();
    outcome();
    going_on();
    deflection();
    lines();
    m_.section("Nothing is left.");
    const Expr here = waiting_ | asked_ | forwarded_.valid | reply_.valid;
    m_.assign(idle_, p_.deflected ? ~(here | deflected_.valid) : ~here);
    return m_;
  }

 private:
  std::vector<rtl::Field> probe_fields() const {
    return {{"leader", 1, "the probe looks for the line itself, not for its owner"},
            {"group", p_.group_bits, "of its search: {core, entry, sequence}"},
            {"targets", list_bits(p_), "cores that it searches, the first one lowest; all ones for none"},
            {"pointer", pointer_bits(p_), "position of the next core in the list"},
            {"line", line_bits(p_), "block address"}};
  }

  void ports() {
    came_ = m_.input("probe_valid", 1, "a probe comes that this core is to be searched by; always taken");
    for (const rtl::Field& f : probe_fields())
      came_fields_.push_back(m_.input("probe_" + f.name, f.width, "of the probe that comes: " + f.doc));
    snoop_ = rtl::output_stream(m_, "snoop", {{"line", line_bits(p_), "block address"}},
                                "snoop of the L1 for the line of the first probe");
    answered_ = m_.input("answer_valid", 1, "the L1 answers the oldest of its snoops; always taken");
    found_ = m_.input("answer_found", 1, "the line is there");
    data_ = m_.input("answer_data", 8 * p_.line_bytes, "the line");
    std::vector<rtl::Field> leaving = probe_fields();
    leaving.insert(leaving.begin(), {"destination", core_bits_, "the next core, or the one that asks"});
    forwarded_ = rtl::output_stream(m_, "forwarded", leaving, "a probe that has been here goes on or back");
    if (p_.deflected)
      deflected_ = rtl::output_stream(m_, "deflected", leaving, "a probe that found no slot goes on or back");
    reply_ = rtl::output_stream(m_, "reply",
                                {{"group", p_.group_bits, "of the search that the line is for"},
                                 {"data", 8 * p_.line_bytes, "the line"}},
                                "a line for the core that asks");
    dropped_ = m_.output("dropped", 1, "the arriving probe finds no slot at all, and is lost");
    idle_ = m_.output("idle", 1, "no probe and no line is here");
  }

  ProbeWord oldest_probe(const Expr& word) {
    int high = word_bits_;
    std::vector<Expr> parts;
    for (const rtl::Field& f : probe_fields()) {
      parts.push_back(m_.let("oldest_" + f.name, word.slice(high - 1, high - f.width),
                             fmt::format("{} of the oldest probe at the L1", f.name)));
      high -= f.width;
    }
    return {parts[0], parts[1], parts[2], parts[3], parts[4]};
  }

  // The probe as it leaves this core.
  Expr stepped(const std::string& name, const ProbeWord& probe, const Expr& found, const std::string& doc) {
    const Expr targets = m_.wire(name + "_targets", list_bits(p_), "list of the probe then"),
               pointer = m_.wire(name + "_pointer", pointer_bits(p_), "pointer of the probe then");
    m_.instance(step_, name + "_step",
                {{"leader", probe.leader},
                 {"found", found},
                 {"targets", probe.targets},
                 {"pointer", probe.pointer},
                 {"next_targets", targets},
                 {"next_pointer", pointer}},
                doc);
    return ProbeWord{probe.leader, probe.group, targets, pointer, probe.line}.word();
  }

  void arrivals() {
    m_.section("Probes that come.");
    const Expr not_full = m_.wire("incoming_not_full", 1, "there is a free slot for an arriving probe"),
               first = m_.wire("first", word_bits_, "the probe that came first");
    waiting_ = m_.wire("waiting", 1, "a probe waits for the L1");
    const ProbeWord came{came_fields_[0], came_fields_[1], came_fields_[2], came_fields_[3], came_fields_[4]};
    m_.instance(fifo(p_.incoming, word_bits_), "incoming",
                {{"in_valid", came_},
                 {"in_ready", not_full},
                 {"in_data", came.word()},
                 {"out_valid", waiting_},
                 {"out_ready", snoop_.valid & snoop_.ready},
                 {"out_data", first}},
                "Probes wait.");
    deflects_ = m_.let("deflects", came_ & ~not_full, "the arriving probe finds no slot there");
    first_ = first;
    came_word_ = came;
  }

  // Slots that are taken, or kept for probes that the L1 has not answered; a slot is freed by `leaves`, or
  // by `bypass_wanted`: the probe does not need it.
  Expr kept(const std::string& name, int places, const Expr& leaves, const Expr& bypass_wanted,
            const std::string& doc) {
    const int bits = rtl::clog2(static_cast<std::uint64_t>(places) + 1);
    const Expr q = m_.reg(name + "_kept_q", bits, 0, doc);
    m_.clocked(doc + ".",
               [&] { m_.set(q, q + zext(asks_, bits) - zext(leaves, bits) - zext(bypass_wanted, bits)); });
    m_.observe(name + "_kept", q);
    std::string limit = name + "_places";
    std::ranges::transform(limit, limit.begin(), [](unsigned char c) { return std::toupper(c); });
    return q != m_.constant(limit, bits, static_cast<std::uint64_t>(places));
  }

  void snoops() {
    m_.section("Snoops: only where the probe has a slot behind the L1 for any answer.");
    asks_ = m_.let("asks", snoop_.valid & snoop_.ready, "the L1 takes the snoop of the first probe");
    answers_line_ = m_.wire("answers_line", 1, "the oldest probe at the L1 is answered with the line");
    const Expr other =
        m_.let("goes_on", answered_ & ~answers_line_, "the oldest probe at the L1 goes on or back");
    const Expr forwarded = m_.let("forwarded_free",
                                  kept("forwarded", p_.forwarded, forwarded_.valid & forwarded_.ready,
                                       answers_line_, "slots for probes that go on, taken or kept"),
                                  "one is free");
    const Expr replies = m_.let(
        "replies_free",
        kept("replies", p_.replies, reply_.valid & reply_.ready, other, "slots for lines, taken or kept"),
        "one is free");
    m_.assign(snoop_.valid, waiting_ & forwarded & replies);
    m_.assign(snoop_["line"], first_.slice(line_bits(p_) - 1, 0));
    goes_on_ = other;
  }

  void outcome() {
    m_.section("Answers of the L1, in the order of its snoops.");
    const Expr oldest = m_.wire("oldest", word_bits_, "the probe that the L1 answers now"),
               not_full = m_.wire("asked_not_full", 1, "never 0");
    asked_ = m_.wire("asked", 1, "snoops of the L1 are pending");
    m_.instance(fifo(most_snoops(p_), word_bits_), "at_the_l1",
                {{"in_valid", asks_},
                 {"in_ready", not_full},
                 {"in_data", first_},
                 {"out_valid", asked_},
                 {"out_ready", answered_},
                 {"out_data", oldest}},
                "Probes with a pending snoop.");
    m_.unused("unused_asked_not_full", not_full, "there are no more snoops than slots behind the L1");
    const ProbeWord probe = oldest_probe(oldest);
    m_.assign(answers_line_, answered_ & found_ & probe.leader);
    group_ = probe.group;
    next_ = stepped("searched", probe, found_, "The oldest probe, if it goes on.");
  }

  // A queue of probes in front of a stream.
  void queue(const std::string& name, int places, const Expr& enters, const Expr& word, Expr* not_full,
             const rtl::Stream& out, const std::string& doc) {
    const Expr front = m_.wire(name + "_front", word_bits_, "the probe in front");
    *not_full = m_.wire(name + "_not_full", 1, "there is a free slot");
    m_.instance(fifo(places, word_bits_), name + "_queue",
                {{"in_valid", enters},
                 {"in_ready", *not_full},
                 {"in_data", word},
                 {"out_valid", out.valid},
                 {"out_ready", out.ready},
                 {"out_data", front}},
                doc);
    int high = word_bits_;
    for (const rtl::Field& f : probe_fields()) {
      m_.assign(out[f.name], front.slice(high - 1, high - f.width));
      high -= f.width;
    }
    m_.instance(way_, name + "_way",
                {{"targets", out["targets"]},
                 {"pointer", out["pointer"]},
                 {"asker", out["group"].slice(p_.group_bits - 1, p_.group_bits - core_bits_)},
                 {"destination", out["destination"]}},
                "Where it goes.");
  }

  void going_on() {
    m_.section("Probes that go on, or back.");
    Expr not_full;
    queue("forwarded", p_.forwarded, goes_on_, next_, &not_full, forwarded_, "Probes that go on wait.");
    m_.unused("unused_forwarded_not_full", not_full, "the slot was kept");
  }

  void deflection() {
    m_.section("Probes that find no slot count as having searched this core in vain.");
    if (p_.deflected == 0) {
      m_.assign(dropped_, deflects_);
      return;
    }
    const Expr passed = stepped("passed", came_word_, lit(1, 0), "The probe that comes, if it is deflected.");
    Expr not_full;
    queue("deflected", p_.deflected, deflects_, passed, &not_full, deflected_, "Deflected probes wait.");
    m_.assign(dropped_, deflects_ & ~not_full);
  }

  void lines() {
    m_.section("Lines for other cores.");
    const int bits = p_.group_bits + 8 * p_.line_bytes;
    const Expr not_full = m_.wire("reply_not_full", 1, "there is a free slot"),
               front = m_.wire("reply_front", bits, "the line in front, and whose it is");
    m_.instance(fifo(p_.replies, bits), "reply_queue",
                {{"in_valid", answers_line_},
                 {"in_ready", not_full},
                 {"in_data", cat({group_, data_})},
                 {"out_valid", reply_.valid},
                 {"out_ready", reply_.ready},
                 {"out_data", front}},
                "Lines wait.");
    m_.unused("unused_reply_not_full", not_full, "the slot was kept");
    m_.assign(reply_["group"], front.slice(bits - 1, 8 * p_.line_bytes));
    m_.assign(reply_["data"], front.slice(8 * p_.line_bytes - 1, 0));
  }

  const ProbeHandlerParams& p_;
  const int word_bits_, core_bits_;
  rtl::Module m_;
  const rtl::Module step_, way_;
  Expr came_, answered_, found_, data_, dropped_, idle_;
  std::vector<Expr> came_fields_;
  ProbeWord came_word_;
  rtl::Stream snoop_, forwarded_, deflected_, reply_;
  Expr waiting_, first_, deflects_, asks_, asked_, answers_line_, goes_on_, group_, next_;
};

}  // namespace

void check(const ProbeHandlerParams& p) {
  require_in(RemoteRanges::cores, "topology.cores", p.cores, "use 28, the thesis'");
  require(p.coverage >= 1 && p.coverage < p.cores, "remote.coverage", p.coverage,
          fmt::format("must be from 1 to the {} other cores", p.cores - 1),
          fmt::format("use {}", std::min(5, p.cores - 1)));
  require_in(RemoteRanges::coverage, "remote.coverage", p.coverage, "use 5");
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(GeometryRanges::line_bytes, "geometry.line_bytes", p.line_bytes,
             "use 128, the line of the reference cache");
  require_in(RemoteRanges::incoming, "remote.incoming", p.incoming, "use 8");
  require_in(RemoteRanges::forwarded, "remote.forwarded", p.forwarded, "use 4");
  require_in(RemoteRanges::replies, "remote.replies", p.replies, "use 4");
  require_in(RemoteRanges::deflected, "remote.deflected", p.deflected, "use 2");
}

rtl::Module probe_handler(const ProbeHandlerParams& p, const std::string& name) {
  check(p);
  return ProbeHandlerBuilder(p, name).run();
}

}  // namespace hw
