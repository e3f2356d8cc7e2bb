// Both sides of a co-simulation in one VCD file, with a .gtkw beside it that shows DUT and golden together.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "verif/lockstep/harness/options.h"
#include "verif/lockstep/waves/gtkw.h"
#include "verif/lockstep/waves/vcd.h"

namespace verif {

class Waves {
 public:
  explicit Waves(const CosimOptions& options);

  // A signal of the DUT, in scopes separated by dots; `words` is a member of the Verilated class.
  template <class Member>
  void add(const std::string& scopes, const std::string& name, int width, const Member* words) {
    if constexpr (std::is_arithmetic_v<Member>)
      note(scopes, vcd_.add(scope(scopes), name, width, words));
    else
      note(scopes, vcd_.add(scope(scopes), name, width, words->data()));
  }
  // A golden value; shown as unknown while known(false).
  void add_golden(const std::string& name, int width, const std::uint64_t* value);

  void known(bool is) { known_ = is; }
  // Before the clock edge of a cycle, and right behind it; outside the window of the options nothing is
  // written.
  void sample(std::int64_t cycle, bool behind_edge = false);
  void close();

 private:
  VcdWriter::Scope scope(const std::string& scopes);
  void note(const std::string& group, VcdWriter::Signal signal);

  std::string path_;
  std::int64_t first_, last_;
  VcdWriter vcd_;
  Gtkw save_;
  std::string group_;
  bool known_ = false, started_ = false;
};

}  // namespace verif
