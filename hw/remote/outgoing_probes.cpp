#include "hw/remote/outgoing_probes.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>

#include "hw/prim/fifo.h"
#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector_params.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

class OutgoingProbesBuilder {
 public:
  OutgoingProbesBuilder(const RemoteNodeParams& p, const std::string& name)
      : p_(table_params(p)),
        line_bits_(line_bits(handler_params(p))),
        core_bits_(core_or_none_bits(p.cores)),
        count_bits_(probes_out_bits(p_)),
        most_(std::min(p_.probes, p_.coverage)),
        m_(name,
           fmt::format("Up to {} probes of this core that wait to be sent (DC-L1 thesis, section 3.3.4).",
                       p_.outgoing)) {}

  rtl::Module run() {
    ports();
    lists();
    front();
    free_slots();
    return m_;
  }

 private:
  void ports() {
    list_take_ = m_.input("list_take", 1, "a list enters, as the probes that share it");
    list_probes_ = m_.input("list_probes", count_bits_, "so many; 0 for none");
    for (int t = 0; t < p_.coverage; ++t)
      targets_.push_back(m_.input(fmt::format("target{}", t), bits_to_number(p_.cores),
                                  "core that is searched, in this order"));
    if (most_candidates(p_)) search_ = m_.input("search", 1, "a leader for candidates enters");
    for (int t = 0; t < most_candidates(p_); ++t)
      candidates_.push_back(m_.input(fmt::format("search_target{}", t), core_bits_,
                                     "target of that leader; all ones for none"));
    entry_ = m_.input("probe_entry", bits_to_number(p_.entries), "entry of the search");
    sequence_ = m_.input("probe_sequence", sequence_bits(p_), "sequence of the search");
    line_ = m_.input("probe_line", line_bits_, "block address that is searched for");
    free_slots_ = m_.output("free_slots", probe_count_bits(p_.outgoing), "free slots");
    valid_ = m_.output("sent_valid", 1, "there is a probe");
    ready_ = m_.input("sent_ready", 1, "the probe in front is sent");
    leader_out_ = m_.output("sent_leader", 1, "the probe looks for the line itself");
    entry_out_ = m_.output("sent_entry", entry_.width(), "entry of its search");
    sequence_out_ = m_.output("sent_sequence", sequence_.width(), "sequence of its search");
    targets_out_ =
        m_.output("sent_targets", p_.coverage * core_bits_, "list of the probe, the first target lowest");
    line_out_ = m_.output("sent_line", line_bits_, "block address");
  }

  // Entries of a list, lowest first; all ones where there are no more.
  Expr listed(const std::vector<Expr>& targets) const {
    std::vector<Expr> places;
    for (int t = p_.coverage - 1; t >= 0; --t)
      places.push_back(static_cast<std::size_t>(t) < targets.size()
                           ? widened(targets[static_cast<std::size_t>(t)])
                           : rtl::ones(core_bits_));
    return cat(places);
  }
  Expr widened(const Expr& core) const { return core.width() < core_bits_ ? zext(core, core_bits_) : core; }

  void lists() {
    m_.section("Lists that enter.");
    const Expr some = m_.let("some", list_take_ & rtl::any(list_probes_), "a list with probes enters");
    Expr number = list_probes_;
    if (p_.probes > p_.coverage) {
      const Expr most = lit(count_bits_, static_cast<std::uint64_t>(p_.coverage));
      number = m_.let("sharing", mux(list_probes_ < most, list_probes_, most), "probes that have targets");
    }
    Expr list = listed(targets_);
    enters_ = some;
    if (search_) {
      enters_ = m_.let("enters", some | *search_, "a list or a leader for candidates enters");
      number = m_.let("number", mux(*search_, lit(count_bits_, 1), number), "probes that enter");
      list = mux(*search_, listed(candidates_), list);
    }
    number_ = number;
    const std::vector<Expr> parts{number, entry_, sequence_, list, line_};
    int bits = 0;
    for (const Expr& e : parts) bits += e.width();
    front_ = m_.wire("front", bits, "the list in front");
    leaves_ = m_.wire("leaves", 1, "the last probe of the list is sent");
    const Expr free_slots = m_.wire("list_not_full", 1, "never 0");
    m_.instance(fifo(p_.outgoing, bits), "lists",
                {{"in_valid", enters_},
                 {"in_ready", free_slots},
                 {"in_data", cat(parts)},
                 {"out_valid", valid_},
                 {"out_ready", leaves_},
                 {"out_data", front_}},
                "Lists wait, of a probe at least.");
    m_.unused("unused_list_not_full", free_slots, "there are no more lists than probes, and these fit");
  }

  void front() {
    m_.section("The probe in front.");
    const int all = p_.coverage * core_bits_, sequence_low = line_bits_ + all,
              entry_low = sequence_low + sequence_.width(), number_low = entry_low + entry_.width();
    const Expr list = m_.let("list", front_.slice(sequence_low - 1, line_bits_), "targets of all its probes");
    const Expr probes = m_.let("probes", front_.slice(front_.width() - 1, number_low), "of that list");
    m_.assign(line_out_, front_.slice(line_bits_ - 1, 0));
    m_.assign(sequence_out_, front_.slice(entry_low - 1, sequence_low));
    m_.assign(entry_out_, front_.slice(number_low - 1, entry_low));
    const Expr sends = m_.let("sends", valid_ & ready_, "the probe is sent");
    if (most_ == 1) {
      m_.unused("unused_probes", probes, "a list is one probe");
      m_.assign(leader_out_, lit(1, 1));
      m_.assign(targets_out_, list);
      m_.assign(leaves_, sends);
      return;
    }
    const Expr sent_q = m_.reg("sent_q", count_bits_, 0, "probes of the list that are sent");
    const Expr next = m_.let("next", sent_q + lit(count_bits_, 1), "count with the probe in front");
    m_.assign(leader_out_, ~rtl::any(sent_q));
    m_.assign(leaves_, sends & (next == probes));
    m_.clocked("Probe by probe.",
               [&] { m_.when(sends, [&] { m_.set(sent_q, mux(leaves_, lit(count_bits_, 0), next)); }); });
    m_.comb("The first probes have one target more where not all have as many.", [&] {
      m_.set(targets_out_, list);
      for (int n = 2; n <= most_; ++n)
        for (int k = 0, first = 0; k < n; first += targets_of(p_.coverage, n, k++))
          m_.when((probes == number_of_probes(n)) & (sent_q == number_of_probes(k)), [&] {
            const int own = targets_of(p_.coverage, n, k) * core_bits_, low = first * core_bits_;
            m_.set(targets_out_, cat({rtl::ones(all - own), list.slice(low + own - 1, low)}));
          });
    });
  }
  Expr number_of_probes(int n) const { return lit(count_bits_, static_cast<std::uint64_t>(n)); }

  void free_slots() {
    const int bits = free_slots_.width();
    const Expr free_slots_q =
        m_.reg("free_slots_q", bits, static_cast<std::uint64_t>(p_.outgoing), "slots for more probes");
    const Expr taken = widened_to(number_, bits) & rtl::replicate(bits, enters_);
    m_.clocked("Slots of probes.",
               [&] { m_.set(free_slots_q, free_slots_q + widened_to(valid_ & ready_, bits) - taken); });
    m_.assign(free_slots_, free_slots_q);
    m_.observe("free_slots", free_slots_q);
  }
  static Expr widened_to(const Expr& e, int bits) { return e.width() < bits ? zext(e, bits) : e; }

  const ProbeTableParams p_;
  const int line_bits_, core_bits_, count_bits_, most_;
  rtl::Module m_;
  std::optional<Expr> search_;  // where candidates are searched
  Expr list_take_, list_probes_, entry_, sequence_, line_, free_slots_, valid_, ready_;
  Expr leader_out_, entry_out_, sequence_out_, targets_out_, line_out_;
  std::vector<Expr> targets_, candidates_;
  Expr enters_, number_, front_, leaves_;
};

}  // namespace

rtl::Module outgoing_probes(const RemoteNodeParams& p, const std::string& name) {
  return OutgoingProbesBuilder(p, name).run();
}

}  // namespace hw
