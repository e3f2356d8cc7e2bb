// Entries of the probe table: registers, entries by state and by number, fields of one entry, and what the
// events of a cycle change.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/remote/probe_table_exchange.h"
#include "hw/remote/probe_table_ports.h"

namespace hw {

// The state as a named constant of the module.
rtl::Expr code_of(rtl::Module& m, ProbeState s);

class ProbeEntries {
 public:
  struct Fields {
    rtl::Expr state, sequence, out;
    std::optional<rtl::Expr> candidates;
    rtl::Expr came, timed_out, tracked;
    std::optional<rtl::Expr> slot;
  };
  // Entries in each state, and entries with candidates.
  struct States {
    rtl::Expr free;
    std::optional<rtl::Expr> targets;  // with stages
    rtl::Expr level1;
    std::optional<rtl::Expr> level2;  // with scouts
    rtl::Expr asking, waiting;
    std::optional<rtl::Expr> some_candidates;
  };

  ProbeEntries(rtl::Module& m, const ProbeTableParams& p);

  const Fields& fields() const { return fields_; }
  const States& in() const { return in_; }
  int count() const { return n_; }
  // One bit, for each entry.
  rtl::Expr each(const rtl::Expr& bit) const { return rtl::replicate(n_, bit); }

  // Adds wires, driven by loops(): the entry of a number, one-hot; and a field of the entry that is set in
  // `one_hot`, by AND and OR.
  rtl::Expr decoded(const std::string& name, const rtl::Expr& number, const std::string& doc);
  rtl::Expr field_of(const std::string& name, const rtl::Expr& of_all, const rtl::Expr& one_hot,
                     const std::string& doc);
  void loops();

  void change_states(const TableEvents& events);
  void change_fields(const TableEvents& events, const ProbeTablePorts::Miss& miss);
  void observe();

 private:
  struct Read {
    rtl::Expr field, of_all, one_hot;
  };

  static Fields add_fields(rtl::Module& m, const ProbeTableParams& p);
  States add_states();

  rtl::Module& m_;
  const ProbeTableParams& p_;
  const int n_;
  const Fields fields_;
  std::vector<std::pair<rtl::Expr, ProbeState>> by_state_;
  std::vector<std::pair<rtl::Expr, rtl::Expr>> decoded_;  // one-hot, and number
  std::vector<Read> reads_;
  const States in_;
};

}  // namespace hw
