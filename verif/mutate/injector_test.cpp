// The injector: what faults make of a module's text, and that one that would change nothing is an error.
#include "verif/mutate/injected_faults.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "gen/print_verilog.h"

namespace {

using rtl::Expr;
using testing::HasSubstr;
using verif::Fault, verif::high, verif::inverted, verif::low, verif::other, verif::stuck;

rtl::Module counter() {
  rtl::Module m("counter", "Counts.");
  const Expr up = m.input("up", 1, "whether it counts");
  const Expr by = m.input("by", 4, "how far");
  const Expr shown = m.output("shown", 4, "the next number");
  const Expr count = m.reg("count_q", 4, 0, "the number");
  m.clocked("Count.", [&] { m.when(up, [&] { m.set(count, count + by + by); }); });
  m.assign(shown, count + rtl::lit(4, 1));
  return m;
}

std::string broken(const Fault& fault) { return verif::texts_of(counter(), &fault).at("counter"); }

std::string complaint(const Fault& fault) {
  try {
    broken(fault);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(Injector, ChangesDriversTermsConditionsAndResets) {
  EXPECT_EQ(verif::texts_of(counter()).at("counter"), gen::verilog(counter()));
  EXPECT_THAT(broken({"driver", "", "shown", "", inverted()}), HasSubstr("shown = ~(count_q + 4'd1);"));
  EXPECT_THAT(broken({"term", "", "count_q", "by", low()}), HasSubstr("(count_q + 4'd0) + by;"));
  EXPECT_THAT(broken({"second term", "", "count_q", "by", low(), 2}), HasSubstr("(count_q + by) + 4'd0;"));
  EXPECT_THAT(broken({"condition", "", "count_q", "up", high()}), HasSubstr("else if (1'd1) begin"));
  EXPECT_THAT(broken({"reset", "", "count_q", verif::reset_value, stuck(3)}), HasSubstr("count_q <= 4'd3;"));
  EXPECT_THAT(broken({"other net", "count", "shown", "count_q", other("by")}),
              HasSubstr("shown = by + 4'd1;"));
}

TEST(Injector, PutsAllFaultsBesideTheSoundUnit) {
  verif::Verilog verilog{{"counter.v", gen::verilog(counter())}};
  const Fault faults[] = {{"first", "", "shown", "count_q", low()}, {"second", "", "count_q", "", high()}};
  verif::inject_all(verilog, counter(), faults);
  const std::string& text = verilog.at("counter.v");
  EXPECT_THAT(text, HasSubstr("assign shown = ((injected_fault == 8'h1) ? 4'd0 : count_q) + 4'd1;"));
  EXPECT_THAT(text, HasSubstr("count_q <= (injected_fault == 8'h2) ? 4'd15 : ((count_q + by) + by);"));
  EXPECT_EQ(verilog.size(), 2u);  // and the module that reads the number
}

TEST(Injector, RefusesFaultsThatChangeNothing) {
  EXPECT_THAT(complaint({"lost", "", "none", "", low()}),
              HasSubstr("lost: module counter has nothing that drives 'none'"));
  EXPECT_THAT(complaint({"lost", "", "shown", "by", low()}),
              HasSubstr("drives 'shown' and reads 'by'; its drivers are:\n  shown = count_q + 4'd1"));
  EXPECT_THAT(complaint({"lost", "", "count_q", "by", low(), 3}), HasSubstr("lost: module counter"));
  EXPECT_THAT(complaint({"lost", "timer", "shown", "", low()}),
              HasSubstr("'timer' begins or ends the names of 0 modules, not of one; they are counter"));
  EXPECT_THAT(complaint({"lost", "", "shown", "", other("none")}),
              HasSubstr("module counter has no net 'none'"));
  EXPECT_THAT(complaint({"narrow", "", "shown", "", other("up")}), HasSubstr("narrow: 'up' is 1 bits"));
}

}  // namespace
