#include "hw/remote/core_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/prim/last_cycle.h"
#include "hw/prim/lfsr.h"
#include "hw/prim/one_hot.h"
#include "hw/remote/core_draw.h"
#include "hw/remote/core_scan.h"
#include "hw/remote/core_weights.h"
#include "hw/remote/own_core.h"
#include "hw/remote/remote_ranges.h"
#include "hw/remote/staged_draw.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

enum Step : std::uint64_t { rest, smooth, begin, draw, search, multiply, add, find_least, add_up };
constexpr int step_bits_of(const CoreSelectorParams& p) { return p.stages ? 4 : 3; }

class CoreSelectorBuilder {
 public:
  CoreSelectorBuilder(const CoreSelectorParams& p, const std::string& name)
      : p_(p),
        core_bits_(bits_to_number(p.cores)),
        found_bits_(bits_to_number(p.coverage)),
        probe_bits_(probe_count_bits(p.probes)),
        supplier_(p.kind == SelectorKind::supplier),
        m_(name, fmt::format("Selects {} of {} cores to search for a line, {} (DC-L1 thesis, section 3.3.3).",
                             p.coverage, p.cores - 1,
                             supplier_ ? "likelier the ones that have replied" : "by their numbers")),
        own_(m_, p.core, p.cores) {}

  rtl::Module run() {
    ports();
    period();
    steps();
    draws();
    supplier_ ? suppliers() : neighbours();
    list();
    return m_;
  }

 private:
  void ports() {
    take_ = m_.input("take", 1, "the list is taken; counts while `valid`");
    reply_ = m_.input("reply", 1, "a core has sent data");
    reply_core_ = m_.input("reply_core", core_bits_, "the core that replied");
    clear_ = m_.input("clear", 1, "begin again; nothing is drawn or counted in this cycle");
    valid_out_ = m_.output("valid", 1, "there is a list");
    probes_out_ = m_.output("probes", probe_bits_, "probes that share the targets");
    for (int t = 0; t < p_.coverage; ++t)
      target_out_.push_back(
          m_.output(fmt::format("target{}", t), core_bits_, "core that is searched, in this order"));
  }

  void period() {
    const int bits = bits_to_number(p_.period);
    m_.section("Periods of counting.");
    const Expr cycle_q = m_.reg("cycle_q", bits, 0, "cycle of the period");
    roll_q_ = m_.reg("roll_q", 1, 0, "a period has ended: its counts will be the weights");
    const Expr last = m_.let("last", cycle_q == last_cycle(m_, bits, p_.period), "the period's last cycle");
    rolls_ = m_.wire("rolls", 1, "counts become weights in this cycle");
    m_.clocked("A period that ends in the cycle in which the one before is used is kept.", [&] {
      m_.when(clear_, [&] {
          m_.set(cycle_q, lit(bits, 0));
          m_.set(roll_q_, lit(1, 0));
        }).otherwise([&] {
        m_.set(cycle_q, (cycle_q + lit(bits, 1)) & rtl::replicate(bits, ~last));
        m_.set(roll_q_, last | (roll_q_ & ~rolls_));
      });
    });
    m_.observe("cycle", cycle_q);
    m_.observe("roll", roll_q_);
  }

  Expr code_of(Step step) {
    static constexpr std::array names{"STEP_REST", "STEP_SMOOTH", "STEP_BEGIN",
                                      "STEP_DRAW", "STEP_SEARCH", "STEP_MULTIPLY",
                                      "STEP_ADD",  "STEP_LEAST",  "STEP_SUMS"};
    static constexpr std::array docs{"the list is complete, or there is none yet",
                                     "smooths the weights",
                                     "a list begins",
                                     "draws a point of the weights' sum",
                                     "finds the core in which the point lies",
                                     "multiplies a random number by the sum that is left",
                                     "adds up the product",
                                     "finds the smallest weight, a core a cycle",
                                     "adds up the weights, a core a cycle"};
    if (p_.stages && step == draw)
      return m_.constant("STEP_SUBTRACT", step_bits_of(p_), step, "the last target's weight leaves the sums");
    return m_.constant(names[step], step_bits_of(p_), step, docs[step]);
  }
  Expr at(Step step) { return step_q_ == code_of(step); }

  // Two cycles a target: one draws a point of the weights' sum, one finds the core that it lies in. With
  // stages the point takes three cycles.
  void steps() {
    m_.section("Steps of the list's making.");
    step_q_ = m_.reg("step_q", code_of(rest), "step of the list's making");
    valid_q_ = m_.reg("valid_q", 1, 0, "the list is complete");
    if (found_bits_) found_q_ = m_.reg("found_q", found_bits_, 0, "targets that the list has");
    const Expr free = m_.let("free", at(rest) & (~valid_q_ | take_), "the list's register is free");
    m_.assign(rolls_, free & roll_q_);
    if (p_.stages) scanned_ = m_.wire("scanned", 1, "the last cycle of a pass over the cores");
    begins_ = m_.let("begins", (free & ~roll_q_) | at(begin), "a list begins");
    draws_ = m_.let("draws", at(p_.stages ? multiply : draw), "a point is drawn");
    searches_ = m_.let("searches", at(search), "the point's core is found");
    Expr completes = searches_;
    if (found_bits_)
      completes = completes & (found_q_ == m_.constant("LAST_TARGET", found_bits_,
                                                       static_cast<std::uint64_t>(p_.coverage) - 1));
    completes_ = m_.let("completes", completes, "the core is the last of the list");
    const auto go = [&](Step step) { m_.set(step_q_, code_of(step)); };
    m_.clocked("From step to step.", [&] {
      m_.when(clear_, [&] { go(rest); }).otherwise([&] {
        m_.when(rolls_, [&] { go(p_.stages ? find_least : smooth); });
        if (p_.stages) {
          m_.when(at(find_least) & scanned_, [&] { go(smooth); });
          m_.when(at(smooth), [&] { go(add_up); });
          m_.when(at(add_up) & scanned_, [&] { go(begin); });
        } else {
          m_.when(at(smooth), [&] { go(begin); });
        }
        m_.when(begins_ | (searches_ & ~completes_), [&] { go(draw); });
        if (p_.stages) {
          m_.when(at(draw), [&] { go(multiply); });
          m_.when(draws_, [&] { go(add); });
          m_.when(at(add), [&] { go(search); });
        } else {
          m_.when(draws_, [&] { go(search); });
        }
        m_.when(completes_, [&] { go(rest); });
      });
    });
    m_.clocked("Targets of the list.", [&] {
      m_.set(valid_q_, ~clear_ & (completes_ | (valid_q_ & ~take_)));
      if (!found_bits_) return;
      m_.when(clear_ | begins_, [&] { m_.set(found_q_, lit(found_bits_, 0)); }).otherwise([&] {
        m_.when(searches_ & ~completes_, [&] { m_.set(found_q_, found_q_ + lit(found_bits_, 1)); });
      });
    });
    m_.observe("valid", valid_q_);
  }

  static Expr number(int width, int value) { return lit(width, static_cast<std::uint64_t>(value)); }

  void draws() {
    m_.section("Random numbers: 16 steps of the LFSR a draw, so that no bits are shared.");
    const Expr steps = supplier_ ? begins_ | draws_ : begins_;
    const Expr lfsr_q = own_.is_input() ? seeded(steps & ~clear_) : seeded_by_constant();
    const Expr next = lfsr_after_16(m_, "next_lfsr", lfsr_);
    m_.clocked("Step; a clear leaves the state.",
               [&] { m_.when(steps & ~clear_, [&] { m_.set(lfsr_q, next); }); });
    m_.observe("lfsr", lfsr_);
    const std::uint32_t limit = probability_65536ths(p_);
    probes_q_ = m_.reg("probes_q", probe_bits_, 0, "probes that share the targets");
    const Expr all = number(probe_bits_, p_.probes), fewer = number(probe_bits_, p_.probes - 1);
    const Expr probes = limit == 0       ? fewer
                        : limit == 65536 ? all
                                         : mux(lfsr_ < number(16, static_cast<int>(limit)), all, fewer);
    m_.clocked("Number of probes.", [&] { m_.when(begins_, [&] { m_.set(probes_q_, probes); }); });
  }

  Expr seeded_by_constant() {
    lfsr_ = m_.reg("lfsr_q", 16, (lfsr_seed ^ static_cast<std::uint64_t>(p_.core) << 10) & 0xffff,
                   "the number that is drawn next");
    return lfsr_;
  }

  // The number of the core is in the state from the first step on; before, it is added.
  Expr seeded(const Expr& steps) {
    const Expr q = m_.reg("lfsr_q", 16, lfsr_seed, "the number that is drawn next, from the first step on"),
               seeded_q = m_.reg("seeded_q", 1, 0, "there has been a step");
    const Expr core = core_bits_ > 6 ? own_.number(core_bits_).slice(5, 0) : own_.number(6);
    lfsr_ = m_.let("lfsr", q ^ cat({core & replicate(6, ~seeded_q), lit(10, 0)}),
                   "the number that is drawn next");
    m_.clocked("The first step.", [&] { m_.when(steps, [&] { m_.set(seeded_q, lit(1, 1)); }); });
    return q;
  }

  void suppliers() {
    m_.section("Weights, and the cores that are drawn by them.");
    const int others = p_.cores - 1, weight = p_.count_bits + 1;
    const Expr weights = m_.wire("weights", others * weight, "of the other cores, ascending");
    std::vector<std::pair<std::string, Expr>> counted{{"clear", clear_},           {"reply", reply_},
                                                      {"reply_core", reply_core_}, {"rolls", rolls_},
                                                      {"smooths", at(smooth)},     {"weights", weights}};
    if (p_.stages) scan(weights, counted);
    own_.pass_on(counted);
    m_.instance(core_weights(p_, m_.name() + "_weights"), "cores", counted, "Counts replies.");
    found_ = m_.wire("found_core", core_bits_, "core in which the point lies");
    std::vector<std::pair<std::string, Expr>> drawn{{"weights", weights},
                                                    {"random", lfsr_},
                                                    {"begins", begins_},
                                                    {"draws", draws_},
                                                    {"searches", searches_}};
    if (p_.stages) {
      drawn.insert(drawn.end(),
                   {{"sums", sums_}, {"triple", triple_}, {"subtracts", at(draw)}, {"adds", at(add)}});
    } else {
      drawn.insert(drawn.begin(), {"clear", clear_});
      drawn.emplace_back("completes", completes_);
    }
    drawn.emplace_back("found", found_);
    own_.pass_on(drawn);
    m_.instance(p_.stages ? staged_draw(p_, m_.name() + "_draw") : core_draw(p_, m_.name() + "_draw"), "draw",
                drawn, "Draws cores.");
  }

  // Passes over the weights, in front of a list: what takes the longest is done one core a cycle.
  void scan(const Expr& weights, std::vector<std::pair<std::string, Expr>>& counted) {
    const int sum = weight_sum_bits(p_);
    const Expr half = m_.wire("half", p_.count_bits + 1, "weight of cores without replies");
    sums_ = m_.wire("sums", (p_.cores - 1) * sum, "running sums of the weights");
    triple_ = m_.wire("triple", sum + 2, "three times the last of them");
    m_.instance(core_scan(p_, m_.name() + "_scan"), "scan",
                {{"clear", clear_},
                 {"weights", weights},
                 {"scans", at(find_least) | at(add_up)},
                 {"adds", at(add_up)},
                 {"last", scanned_},
                 {"half", half},
                 {"sums", sums_},
                 {"triple", triple_}},
                "Finds the smallest weight and the sums.");
    counted.emplace_back("half", half);
  }

  void neighbours() {
    m_.section("Cores behind this one.");
    m_.unused("unused_replies", rtl::cat({reply_, reply_core_}), "all cores are alike");
    for (int t = 0; t < p_.coverage; ++t)
      m_.assign(target_out_[static_cast<std::size_t>(t)], own_.next(1 + t));
  }

  void list() {
    m_.section("The list.");
    m_.assign(valid_out_, valid_q_);
    m_.assign(probes_out_, probes_q_);
    if (!supplier_) return;
    std::vector<Expr> targets;
    for (int t = 0; t < p_.coverage; ++t)
      targets.push_back(m_.data_reg(fmt::format("target{}_q", t), core_bits_, "a target of the list"));
    m_.clocked("Next target of the list.", [&] {
      m_.when(searches_, [&] {
        for (int t = 0; t < p_.coverage; ++t) {
          const Expr& q = targets[static_cast<std::size_t>(t)];
          if (!found_bits_)
            m_.set(q, found_);
          else
            m_.when(found_q_ == number(found_bits_, t), [&] { m_.set(q, found_); });
        }
      });
    });
    for (std::size_t t = 0; t < targets.size(); ++t) m_.assign(target_out_[t], targets[t]);
  }

  const CoreSelectorParams& p_;
  const int core_bits_, found_bits_, probe_bits_;
  const bool supplier_;
  rtl::Module m_;
  OwnCore own_;
  Expr take_, reply_, reply_core_, clear_, valid_out_, probes_out_;
  std::vector<Expr> target_out_;
  Expr roll_q_, rolls_, step_q_, valid_q_, found_q_, begins_, draws_, searches_, completes_;
  Expr lfsr_, probes_q_, found_;
  Expr scanned_, sums_, triple_;  // with stages
};

void check_search(const CoreSelectorParams& p) {
  require_in(RemoteRanges::cores, "topology.cores", p.cores, "use 28, the thesis'");
  require(p.core >= any_core && p.core < p.cores, "selector.core", p.core,
          fmt::format("must be below the {} of topology.cores", p.cores), "use 0");
  require(p.coverage >= 1 && p.coverage < p.cores, "remote.coverage", p.coverage,
          fmt::format("must be from 1 to the {} other cores", p.cores - 1),
          fmt::format("use {}", std::min(5, p.cores - 1)));
  require(p.coverage <= most_targets, "remote.coverage", p.coverage,
          fmt::format("must not exceed {}, as many as a flit has room for", most_targets), "use 5");
  require_in(RemoteRanges::probes, "remote.probes", p.probes, "use 2, the thesis'");
}

}  // namespace

int selector_step_bits(const CoreSelectorParams& p) { return step_bits_of(p) + bits_to_number(p.coverage); }

void check(const CoreSelectorParams& p) {
  check_search(p);
  require_in(RemoteRanges::probability, "remote.probability", p.probability, "use 0.5, the thesis'");
  require_in(SelectorRanges::period, "selector.period", p.period, "use 8192, the thesis'");
  require_in(SelectorRanges::count_bits, "selector.count_bits", p.count_bits, "use 10");
  require(p.stages == 0 || p.stages == 2, "selector.stages", p.stages, "must be 0 or 2", "use 0");
  require(p.stages == 0 || p.kind == SelectorKind::supplier, "selector.stages", p.stages,
          "needs selector.kind = \"supplier\"; cores by their numbers take no sums", "use 0");
}

rtl::Module core_selector(const CoreSelectorParams& p, const std::string& name) {
  check(p);
  return CoreSelectorBuilder(p, name).run();
}

}  // namespace hw
