#include "hw/shared/dyneb.h"

#include <fmt/format.h>
#include <optional>

#include <array>

#include "hw/require.h"
#include "hw/shared/dyneb_evaluation.h"
#include "hw/shared/dyneb_group.h"
#include "hw/shared/shared_ranges.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

enum Phase : std::uint64_t { sample, evaluate, drain_to_execute, execute, drain_to_sample };
constexpr int phase_bits = 3;

class DynebBuilder {
 public:
  DynebBuilder(const DynebParams& p, const std::string& name)
      : p_(p),
        m_(name,
           fmt::format("DynEB: chooses between private and shared L1 for one core, by {} (DC-L1 thesis, "
                       "chapter 4).",
                       p.metric == DynebMetric::eb ? "effective bandwidth" : "average memory access time")) {}

  rtl::Module run() {
    ports();
    state();
    limits();
    sampling();
    evaluation();
    phases();
    counts();
    outputs();
    observed();
    return m_;
  }

 private:
  void ports() {
    flush_ = m_.input("flush", 1, "begin again; no other event in this cycle");
    request_ = m_.input(
        "request", 1,
        "a load, store or atomic of the core is sent on its way; not in `hold` but for its first cycle");
    request_load_ = m_.input("request_load", 1, "the request is a load");
    request_odd_ = m_.input("request_odd", 1, "the line has an odd set");
    request_home_ = m_.input("request_home", 1, "the request goes to another core, the home of the line");
    answer_ = m_.input("answer", 1, "one of these requests has been answered");
    probe_ = m_.input("probe", 1, "a load leaves the probe of this cache, served or missed");
    probe_odd_ = m_.input("probe_odd", 1, "the line has an odd set");
    probe_served_ = m_.input("probe_served", 1, "the load is another core's");
    probe_miss_ = m_.input("probe_miss", 1, "the load has missed");
    slice_reply_ = m_.input("slice_reply", 1, "a fill, data or acknowledgement has come from a slice");
    slice_odd_ = m_.input("slice_odd", 1, "the line has an odd set");
    slice_served_ = m_.input("slice_served", 1, "the reply is for another core");
    home_reply_ = m_.input("home_reply", 1, "data or an acknowledgement has come from a home");
    home_odd_ = m_.input("home_odd", 1, "the line has an odd set");
    home_load_ = m_.input("home_load", 1, "the reply answers a load");
    home_hit_ = m_.input("home_hit", 1, "the load hit at the home");
    phase_out_ = m_.output("phase", phase_bits,
                           "0 sample, 1 evaluate, 2 drain and execute, 3 execute, 4 drain and sample");
    even_out_ = m_.output("even_shared", 1, "lines of even sets are shared");
    odd_out_ = m_.output("odd_shared", 1, "lines of odd sets are shared");
    hold_out_ = m_.output("hold", 1, "new requests wait");
    idle_out_ = m_.output("idle", 1, "all requests have been answered");
  }

  void state() {
    const int total = dyneb_total_bits(p_);
    m_.section("Phase, organisation, what is under way.");
    phase_q_ = m_.reg("phase_q", code_of(sample), "sample, evaluate, drain, execute, drain");
    even_q_ = m_.reg("even_shared_q", 1, 0, "lines of even sets are shared");
    odd_q_ = m_.reg("odd_shared_q", 1, 1, "lines of odd sets are shared");
    open_q_ = m_.reg("open_q", dyneb_open_bits, 0, "requests that are not answered yet");
    executed_q_ = m_.reg("executed_q", dyneb_executed_bits(p_), 0, "own loads in EXEC");
    if (total) total_q_ = m_.reg("total_q", total, 0, "loads of the phase, wherever they go");
    samples_ = m_.let("samples", in(sample), "the phase is SAMPLE");
    executes_ = m_.let("executes", in(execute), "the phase is EXEC");
    drains_ = m_.let("drains", in(drain_to_execute) | in(drain_to_sample), "the phase is DRAIN");
  }

  Expr code_of(Phase phase) {
    static constexpr std::array names{"PHASE_SAMPLE", "PHASE_EVALUATE", "PHASE_DRAIN_TO_EXECUTE",
                                      "PHASE_EXECUTE", "PHASE_DRAIN_TO_SAMPLE"};
    static constexpr std::array docs{"counts its own sets", "compares the organisations",
                                     "waits for answers, then executes", "runs as decided",
                                     "waits for answers, then samples"};
    return m_.constant(names[phase], phase_bits, phase, docs[phase]);
  }
  Expr in(Phase phase) { return phase_q_ == code_of(phase); }

  Expr reaches(const Expr& counter, const char* name, int limit, const char* doc) {
    return counter == m_.constant(name, counter.width(), static_cast<std::uint64_t>(limit), doc);
  }
  // Adds the end by a cap, where the phase has one.
  Expr or_capped(const Expr& ends, const char* last, const char* reached, int cap) {
    if (!cap) return ends;
    caps_.push_back({m_.constant(last, total_q_->width(), static_cast<std::uint64_t>(cap - 1),
                                 "loads before the one with which the phase ends in any case"),
                     m_.reg(reached, 1, 0, "the total is at the cap")});
    return ends | caps_.back().reached_q;
  }

  void limits() {
    m_.section("The end of a phase.");
    full_ = m_.wire("full", 2, "a counter of even or odd sets is all ones");
    sampled_ = m_.wire("sampled", 2, "even or odd sets have had their own accesses");
    sent_q_ = m_.reg("sent_q", dyneb_count_bits, 0, "own loads of odd sets that went to homes");
    sent_missed_q_ = m_.reg("sent_missed_q", dyneb_count_bits, 0, "loads that missed at their homes");
    const Expr some_full = rtl::any(full_) | rtl::all(sent_q_) | rtl::all(sent_missed_q_);
    const Expr all_sampled = rtl::all(sampled_) | some_full;
    sample_ends_ = m_.let("sample_ends",
                          samples_ & or_capped(all_sampled, "SAMPLE_LAST", "sample_capped_q", p_.sample_cap),
                          "the sample is complete");
    const Expr all_executed = reaches(executed_q_, "EXECUTE_ACCESSES", p_.execute_accesses, "own loads");
    execute_ends_ =
        m_.let("execute_ends",
               executes_ & or_capped(all_executed, "EXECUTE_LAST", "execute_capped_q", p_.execute_cap),
               "the time of EXEC is over");
    counts_ = m_.let("counts", samples_ & ~sample_ends_, "this cycle is in the sample");
  }

  void sampling() {
    m_.section("The sample.");
    const Expr own = m_.let("own", ~probe_served_, "the load is the core's own");
    const bool served = p_.count_served;
    const Expr access = served && p_.metric == DynebMetric::eb
                            ? probe_
                            : m_.let("access", probe_ & own, "a load that counts");
    const Expr slice =
        served ? slice_reply_
               : m_.let("slice_counts", slice_reply_ & ~slice_served_, "a reply of a slice that counts");
    if (served) m_.unused("unused_served", slice_served_, "replies for all cores count");
    const rtl::Module group = dyneb_group(p_, m_.name() + "_group");
    for (int odd = 0; odd < 2; ++odd) {
      const std::string name = odd ? "odd" : "even";
      const auto here = [&](const Expr& event, const Expr& of) { return event & (odd ? of : ~of); };
      std::vector<std::pair<std::string, Expr>> pins{{"clear", clear()},
                                                     {"counts", counts_},
                                                     {"access", here(access, probe_odd_)},
                                                     {"own", own},
                                                     {"miss", here(access & probe_miss_, probe_odd_)},
                                                     {"slice_reply", here(slice, slice_odd_)},
                                                     {"home_reply", here(home_reply_, home_odd_)},
                                                     {"full", full_.bit(odd)},
                                                     {"sampled", sampled_.bit(odd)}};
      for (const char* count : {"accesses", "misses", "slice_replies", "home_replies"}) {
        const std::string wire = name + "_" + count;
        counters_.emplace_back(wire, m_.wire(wire, dyneb_count_bits, "counter of " + name + " sets"));
        pins.emplace_back(count, counters_.back().second);
      }
      m_.instance(group, name, pins, odd ? "Shared sets." : "Private sets.");
    }
    const int bits = dyneb_count_bits;
    const auto count = [&](const Expr& counter, const Expr& event) {
      m_.when(clear(), [&] { m_.set(counter, lit(bits, 0)); }).otherwise([&] {
        m_.when(counts_ & event, [&] { m_.set(counter, counter + lit(bits, 1)); });
      });
    };
    m_.clocked("Own loads that went to homes.", [&] {
      count(sent_q_, request_ & request_load_ & request_odd_ & request_home_);
      count(sent_missed_q_, home_reply_ & home_load_ & home_odd_ & ~home_hit_);
    });
  }

  Expr clear() const { return flush_ | drains_; }

  void evaluation() {
    m_.section("The comparison.");
    last_ = m_.wire("last", 1, "the last cycle of EVAL");
    decision_ = m_.wire("decision", 1, "shared is better");
    std::vector<std::pair<std::string, Expr>> pins{{"clear", flush_},
                                                   {"run", sample_ends_ | in(evaluate)},
                                                   {"sent", sent_q_},
                                                   {"sent_missed", sent_missed_q_}};
    pins.insert(pins.end(), counters_.begin(), counters_.end());
    pins.insert(pins.end(), {{"last", last_}, {"decision", decision_}});
    m_.instance(dyneb_evaluation(p_, m_.name() + "_evaluation"), "evaluation", pins,
                "Begins as the sample ends.");
  }

  void phases() {
    m_.section("Phases.");
    const Expr drained = m_.let("drained", drains_ & idle() & ~request_, "half of the sets may change over");
    const Expr to_execute = m_.let("to_execute", drained & in(drain_to_execute), "to EXEC");
    const auto to = [&](Phase phase) { m_.set(phase_q_, code_of(phase)); };
    m_.clocked("From phase to phase.", [&] {
      m_.when(flush_, [&] { to(sample); }).otherwise([&] {
        m_.when(sample_ends_, [&] { to(evaluate); });
        m_.when(last_, [&] { to(drain_to_execute); });
        m_.when(execute_ends_, [&] { to(drain_to_sample); });
        m_.when(drained, [&] { to(sample); });
        m_.when(to_execute, [&] { to(execute); });
      });
    });
    m_.clocked("Sets change over when nothing is under way.", [&] {
      m_.when(flush_ | drained, [&] {
        m_.set(even_q_, to_execute & ~flush_ & decision_);
        m_.set(odd_q_, ~to_execute | flush_ | decision_);
      });
    });
  }

  Expr idle() const { return ~rtl::any(open_q_); }

  void counts() {
    const int open = dyneb_open_bits, executed = executed_q_.width();
    m_.clocked("Requests under way.", [&] {
      m_.when(flush_, [&] { m_.set(open_q_, lit(open, 0)); }).otherwise([&] {
        m_.when(request_ & ~answer_, [&] { m_.set(open_q_, open_q_ + lit(open, 1)); });
        m_.when(answer_ & ~request_, [&] { m_.set(open_q_, open_q_ - lit(open, 1)); });
      });
    });
    m_.clocked("Own loads in EXEC.", [&] {
      m_.when(clear(), [&] { m_.set(executed_q_, lit(executed, 0)); }).otherwise([&] {
        m_.when(executes_ & ~execute_ends_ & probe_ & ~probe_served_,
                [&] { m_.set(executed_q_, executed_q_ + lit(executed, 1)); });
      });
    });
    if (!total_q_) return;
    const int bits = total_q_->width();
    const Expr another =
        m_.let("another", (counts_ | (executes_ & ~execute_ends_)) & request_ & request_load_,
               "one more load of the phase");
    m_.clocked("Loads of the phase; a cap is compared as they are counted, not as the phase is to end.", [&] {
      m_.when(clear(), [&] {
          m_.set(*total_q_, lit(bits, 0));
          for (const Cap& cap : caps_) m_.set(cap.reached_q, lit(1, 0));
        }).otherwise([&] {
        m_.when(another, [&] {
          m_.set(*total_q_, *total_q_ + lit(bits, 1));
          for (const Cap& cap : caps_) m_.set(cap.reached_q, *total_q_ == cap.last);
        });
      });
    });
  }

  void outputs() {
    m_.section("Outputs");
    m_.assign(phase_out_, phase_q_);
    m_.assign(even_out_, even_q_);
    m_.assign(odd_out_, odd_q_);
    m_.assign(hold_out_, drains_ | rtl::all(open_q_));
    m_.assign(idle_out_, idle());
  }

  void observed() {
    m_.observe("phase", phase_q_);
    m_.observe("even_shared", even_q_);
    m_.observe("odd_shared", odd_q_);
    m_.observe("open", open_q_);
    m_.observe("executed", executed_q_);
    if (total_q_) m_.observe("total", *total_q_);
    m_.observe("sent", sent_q_);
    m_.observe("sent_missed", sent_missed_q_);
  }

  const DynebParams& p_;
  rtl::Module m_;
  Expr flush_, request_, request_load_, request_odd_, request_home_, answer_, probe_, probe_odd_,
      probe_served_, probe_miss_, slice_reply_, slice_odd_, slice_served_, home_reply_, home_odd_, home_load_,
      home_hit_;
  Expr phase_out_, even_out_, odd_out_, hold_out_, idle_out_;
  std::optional<Expr> total_q_;  // with caps
  Expr phase_q_, even_q_, odd_q_, open_q_, executed_q_, sent_q_, sent_missed_q_;
  Expr samples_, executes_, drains_, full_, sampled_, sample_ends_, execute_ends_, counts_;
  Expr last_, decision_;
  struct Cap {
    Expr last, reached_q;
  };
  std::vector<Cap> caps_;
  std::vector<std::pair<std::string, Expr>> counters_;  // of both groups, by name
};

}  // namespace

void check(const DynebParams& p) {
  require_in(DynebRanges::sample_accesses, "dyneb.sample_accesses", p.sample_accesses,
             "use 512, the thesis'");
  require_in(DynebRanges::execute_accesses, "dyneb.execute_accesses", p.execute_accesses,
             "use 16384, the thesis'");
  require_in(DynebRanges::cap, "dyneb.sample_cap", p.sample_cap, "use 0 for none");
  require_in(DynebRanges::cap, "dyneb.execute_cap", p.execute_cap, "use 0 for none");
  require_in(DynebRanges::miss_percent, "dyneb.miss_percent", p.miss_percent, "use 10, the thesis'");
  require_in(DynebRanges::latency, "dyneb.l2_latency", p.l2_latency, "use 247, the thesis'");
  require_in(DynebRanges::latency, "dyneb.home_latency", p.home_latency, "use 54, the thesis'");
}

rtl::Module dyneb(const DynebParams& p, const std::string& name) {
  check(p);
  return DynebBuilder(p, name).run();
}

}  // namespace hw
