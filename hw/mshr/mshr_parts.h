// The parts of an MSHR file are modules: the sizes that they have in common, and ports that are declared with
// the nets of the file that they are connected to.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/mshr/mshr_file.h"
#include "hw/mshr/target_counts.h"
#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"

namespace hw {

struct MshrSizes {
  MshrSizes(const MshrParams& p, const MshrLines& lines);

  rtl::Expr each(const rtl::Expr& bit) const { return rtl::replicate(entries, bit); }
  TargetCountWidths count_widths() const { return {entries, count_width, place_width}; }

  const MshrParams p;
  const int entries, merges, chunks;
  const int pending;  // bits of an entry that say what is on its way
  const int set_bits, tag_bits, entry_width, place_width, count_width;
  const bool by_chunk, tag_is_line;
  const bool joins_late, in_order;  // as functions of these names say (hw/mshr/mshr_file.h)
};

// A module, and the sizes.
struct MshrFrame : MshrSizes {
  MshrFrame(const MshrSizes& sizes, const std::string& name, const std::string& doc, const rtl::Loc& loc)
      : MshrSizes(sizes), m(name, doc, loc) {}

  rtl::Module m;
};

// The file itself, whose parts are instances.
struct MshrTop : MshrFrame {
  MshrTop(const MshrParams& p, const MshrLines& lines, const std::string& name,
          const rtl::Loc& loc = rtl::Loc::current());
};

// A part of the file. A port has the name and the doc string of the net of the file that it is connected to.
class MshrPart : public MshrFrame {
 public:
  MshrPart(MshrTop& file, const std::string& part, const std::string& doc,
           const rtl::Loc& loc = rtl::Loc::current());

  // Declare ports, and return them as the part sees them.
  rtl::Expr in(const rtl::Expr& net, const rtl::Loc& loc = rtl::Loc::current());
  rtl::Expr out(const rtl::Expr& net, const rtl::Loc& loc = rtl::Loc::current());
  // The same of nets that a file may be without.
  std::optional<rtl::Expr> in(const std::optional<rtl::Expr>& net, const rtl::Loc& loc = rtl::Loc::current());
  std::optional<rtl::Expr> out(const std::optional<rtl::Expr>& net,
                               const rtl::Loc& loc = rtl::Loc::current());

  // Name of a module that this part alone uses.
  std::string own_module(const std::string& what) const { return file_.name() + "_" + what; }
  // Adds the part to the file.
  void place(const std::string& doc);

 private:
  rtl::Module file_;
  const std::string part_;
  std::vector<std::pair<std::string, rtl::Expr>> pins_;
};

// The net, where the file needs it.
std::optional<rtl::Expr> net_if(bool needed, const rtl::Expr& net);

// Values of the entry that a one-hot vector names; 0 when none is.
class EntryValues {
 public:
  explicit EntryValues(MshrPart& f) : f_(f) {}

  // Adds wire `name`; `of_entries` has the value of each entry.
  rtl::Expr add(const std::string& name, const rtl::Expr& of_entries, int width, const std::string& doc);
  // Drives all wires, if there are some.
  void gather(const std::string& doc, const std::string& label, const rtl::Condition& when,
              const rtl::Expr& which) const;

 private:
  struct Value {
    rtl::Expr out, of_entries;
  };
  MshrPart& f_;
  std::vector<Value> values_;
};

}  // namespace hw
