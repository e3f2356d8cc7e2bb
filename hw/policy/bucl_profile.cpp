#include "hw/policy/bucl_profile.h"

#include <fmt/format.h>

#include <array>

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

enum Phase : std::uint64_t { profile, search, run };

class BuclProfileBuilder {
 public:
  BuclProfileBuilder(rtl::Module& m, const BuclParams& p, const Expr& kernel_start, const Expr& issued)
      : m_(m), p_(p), kernel_start_(kernel_start), issued_(issued) {}

  BuclProfile run_all() {
    registers();
    look();
    m_.clocked("Profile, then search.",
               [&] { m_.when(kernel_start_, [&] { restart(); }).otherwise([&] { step(); }); });
    m_.observe("phase", phase_q_);
    m_.observe("ran", ran_q_, {{"SM", p_.sms}});
    return {.profiling = ~phase_q_.bit(1), .found = found_, .threshold = threshold()};
  }

 private:
  Expr code_of(Phase phase) {
    static constexpr std::array names{"PHASE_PROFILE", "PHASE_SEARCH", "PHASE_RUN"};
    static constexpr std::array docs{"counts the lanes that each SM issues", "looks for the busiest SM",
                                     "the threshold is chosen"};
    return m_.constant(names[phase], 2, phase, docs[phase]);
  }
  Expr in(Phase phase) { return phase_q_ == code_of(phase); }

  void registers() {
    m_.section("Profile: how much each SM issues. Search: an SM a cycle, the first that issued most.");
    phase_q_ = m_.reg("phase_q", code_of(profile), "profile, search, run");
    ran_q_ = m_.reg("ran_q", p_.sms * count_, 0, "lanes that each SM has issued");
    if (cycle_bits_) profile_cycle_q_ = m_.reg("profile_cycle_q", cycle_bits_, 0, "cycle of the profile");
    best_q_ = m_.reg("best_q", count_, 0, "most lanes of the SMs before");
    if (!number_bits_) return;
    sm_q_ = m_.reg("sm_q", number_bits_, 0, "SM that is looked at");
    winner_q_ = m_.reg("winner_q", number_bits_, 0, "SM with the most lanes of those before");
  }

  // The SM of this cycle against those before.
  void look() {
    const Expr ran = m_.let("ran", number_bits_ ? ran_q_.part_below(sm_q_, count_) : ran_q_,
                            "lanes of the SM that is looked at");
    more_ = m_.let("more", best_q_ < ran, "the SM ran more than any SM before");
    best_ = m_.let("best", mux(more_, ran, best_q_), "most lanes so far");
    if (number_bits_)
      winner_ = m_.let("winner", mux(more_, sm_q_, winner_q_), "SM with the most lanes so far");
    Expr ends = in(search);
    if (number_bits_)
      ends = ends & (sm_q_ == m_.constant("LAST_SM", number_bits_, static_cast<std::uint64_t>(p_.sms) - 1));
    ends_ = m_.let("search_ends", ends, "the last SM is looked at");
    found_ = m_.let("found", ends_ & rtl::any(best_), "some SM has issued something");
  }

  // A table of all SMs.
  Expr threshold() {
    const int bits = tucd_bits(p_);
    std::vector<Expr> all;
    for (int s = p_.sms - 1; s >= 0; --s)
      all.push_back(lit(bits, static_cast<std::uint64_t>(p_.thresholds[s % p_.thresholds.count])));
    if (!number_bits_) return all[0];
    return m_.let("sm_thresholds", rtl::cat(all), "thresholds of each SM while profiling")
        .part_below(winner_, bits);
  }

  void restart() {
    m_.set(phase_q_, code_of(profile));
    m_.set(ran_q_, lit(ran_q_.width(), 0));
    if (cycle_bits_) m_.set(profile_cycle_q_, lit(cycle_bits_, 0));
    first_sm();
  }

  void first_sm() {
    m_.set(best_q_, lit(count_, 0));
    if (!number_bits_) return;
    m_.set(sm_q_, lit(number_bits_, 0));
    m_.set(winner_q_, lit(number_bits_, 0));
  }

  void step() {
    m_.when(in(profile), [&] {
      m_.loop("s", p_.sms, [&](const Expr& s) {
        m_.set(ran_q_.part(s, count_),
               ran_q_.part(s, count_) + rtl::zext(issued_.part(s, issued_bits(p_)), count_));
      });
      if (!cycle_bits_) return m_.set(phase_q_, code_of(search));
      const Expr last =
          m_.constant("LAST_PROFILE_CYCLE", cycle_bits_, static_cast<std::uint64_t>(p_.profile_cycles) - 1,
                      fmt::format("of a profile of {} cycles", p_.profile_cycles));
      m_.when(profile_cycle_q_ == last, [&] {
          m_.set(phase_q_, code_of(search));
          m_.set(profile_cycle_q_, lit(cycle_bits_, 0));
        }).otherwise([&] { m_.set(profile_cycle_q_, profile_cycle_q_ + lit(cycle_bits_, 1)); });
    });
    m_.when(in(search), [&] {
      m_.when(ends_, [&] {
          m_.set(phase_q_, mux(found_, code_of(run), code_of(profile)));
          first_sm();
        }).otherwise([&] {
        m_.set(best_q_, best_);
        if (!number_bits_) return;
        m_.set(sm_q_, sm_q_ + lit(number_bits_, 1));
        m_.set(winner_q_, winner_);
      });
    });
  }

  rtl::Module& m_;
  const BuclParams& p_;
  const Expr kernel_start_, issued_;
  const int count_ = ran_bits(p_), number_bits_ = bits_to_number(p_.sms),
            cycle_bits_ = bits_to_number(p_.profile_cycles);
  Expr phase_q_, ran_q_, profile_cycle_q_, best_q_, sm_q_, winner_q_;
  Expr more_, best_, winner_, ends_, found_;
};

}  // namespace

int ran_bits(const BuclParams& p) { return bits_up_to(std::int64_t{p.profile_cycles} * p.issue_max); }

Expr issued_inputs(rtl::Module& m, const BuclParams& p) {
  std::vector<Expr> all;
  for (int s = 0; s < p.sms; ++s)
    all.insert(all.begin(),
               m.input(fmt::format("issued{}", s), issued_bits(p),
                       fmt::format("active lanes of the warp instructions that SM {} issues", s)));
  return all.size() == 1 ? all[0] : m.let("issued", rtl::cat(all), "lanes of all SMs");
}

BuclProfile add_profile(rtl::Module& m, const BuclParams& p, const Expr& kernel_start, const Expr& issued) {
  return BuclProfileBuilder(m, p, kernel_start, issued).run_all();
}

}  // namespace hw
