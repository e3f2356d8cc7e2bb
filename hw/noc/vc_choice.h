// How an output of a crossbar chooses which of its VCs sends next, and a head for one that is free: the part
// that depends on which VCs a packet may leave on (DC-L1 thesis, chapters 4 and 5;
// docs/contracts/vc-crossbar.md).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

// One iteration. Vectors are over the output's VCs, or over inputs; over input VCs bit i*V + v.
struct VcRound {
  int iteration = 1;
  rtl::Expr offer = {}, offer_vc = {}, accepted = {}, open = {};  // ports
  rtl::Expr heads = {};                       // in front, for this output, that may still leave
  rtl::Expr vc = {}, opens = {}, taken = {};  // VC that is offered, one-hot; it is free; somebody accepts
};

// What the output keeps.
struct VcOutputState {
  std::vector<rtl::Expr> owner = {};         // by VC: its owner's input, one-hot
  rtl::Expr owned = {}, credit = {};         // VCs with an owner, with a credit
  std::optional<rtl::Expr> vc_pointer = {};  // none for one VC
  rtl::Expr vc_pointer_next = {};
};

class VcChoice {
 public:
  VcChoice(const CrossbarParams& p, rtl::Module& m) : p_(p), m_(m) {}
  virtual ~VcChoice() = default;

  // What an iteration does, for the comment above it.
  virtual std::string about() const = 0;
  // Registers: of VC u's owner; pointers over heads.
  virtual void add_owner(int u) = 0;
  virtual void add_pointers() = 0;
  // VC u's owner has a flit in front, if it is at input i; `holds`: input VCs with one.
  virtual rtl::Expr held(const rtl::Expr& holds, int i, int u) const = 0;
  // Finds `vc`, `opens` and a head; from the second iteration on where `waits`, without a match before.
  virtual void choose(VcRound& r, const VcOutputState& s, const std::function<rtl::Expr()>& ready,
                      const std::function<rtl::Condition()>& waits) = 0;
  // The input whose head VC u is offered to, should it be free.
  virtual rtl::Expr head_input(int u) const = 0;
  // The VC that is offered to, at its input.
  virtual rtl::Expr offered_vc(const VcRound& r, const VcOutputState& s) = 0;
  // Inside a clocked block; and whether there is one to move.
  virtual bool has_pointers() const = 0;
  virtual void move_pointers() = 0;
  // What an owner's registers become.
  virtual void follow(const std::vector<VcRound>& rounds, const VcOutputState& s) = 0;
  virtual void observe() = 0;

 protected:
  const CrossbarParams& p_;
  rtl::Module& m_;
};

// Which VCs a packet may leave on.
struct VcRule {
  std::string suffix;  // of the names of modules
  std::unique_ptr<VcChoice> (*choice)(const CrossbarParams&, rtl::Module&);
};

// Any; of an output's free VCs the first at or after its pointer.
const VcRule& any_vc();
// That on which it came. For 2 VCs or more, and up to 15 inputs.
const VcRule& kept_vc();

// For both: names that are numbered by iteration, and the first VC at or after the pointer.
std::string vc_name(const char* stem, int iteration);
rtl::Expr first_vc(rtl::Module& m, const std::string& name, const rtl::Expr& request,
                   const std::optional<rtl::Expr>& pointer, const std::string& doc);
rtl::Expr vcs_of_input(const rtl::Expr& bits, int i, int vcs);
rtl::Expr sum_of(const std::vector<rtl::Expr>& terms);
// The terms of the lower VCs by themselves, as all of them make a long statement.
rtl::Expr by_halves(rtl::Module& m, const std::string& name, const std::vector<rtl::Expr>& terms,
                    const std::string& doc);

}  // namespace hw
