// Mutants: evenly over modules and kinds of changes, each a real change with its line in the sources, and
// the proofs that find equivalent ones.
#include "gen/verify/mutants.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <set>

#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/unit/unit.h"
#include "gen/verify/equivalence.h"
#include "gen/verify/verify_report.h"
#include "hw/prim/fifo.h"
#include "hw/prim/sram.h"
#include "verif/tree.h"

namespace {

using gen::Equivalence, gen::Mutant;
using rtl::Expr;

// Counts to five and begins again.
rtl::Module counter() {
  rtl::Module m("counter", "Counts to five.");
  const Expr up = m.input("up", 1, "whether it counts");
  const Expr shown = m.output("shown", 3, "the number");
  const Expr count = m.reg("count_q", 3, 0, "the number");
  m.clocked("Count.", [&] {
    m.when(up,
           [&] { m.set(count, rtl::mux(count >= rtl::lit(3, 5), rtl::lit(3, 0), count + rtl::lit(3, 1))); });
  });
  m.assign(shown, count);
  return m;
}

// A counter that always counts.
rtl::Module clock_of_five() {
  rtl::Module m("clock_of_five", "Counts on.");
  const Expr shown = m.output("shown", 3, "the number");
  m.instance(counter(), "ring", {{"up", rtl::lit(1, 1)}, {"shown", shown}}, "The ring.");
  return m;
}

// Its part uses one of two bits.
rtl::Module half_used() {
  rtl::Module part("part", "Shows a bit.");
  const Expr pair = part.input("pair", 2, "two bits"), low = part.output("low", 1, "the lower");
  part.unused("unused_pair", pair.bit(1), "the other");
  part.assign(low, pair.bit(0));
  rtl::Module m("half_used", "Gives its part two bits.");
  const Expr given = m.input("given", 2, "two bits"), low_shown = m.output("shown", 1, "the lower");
  m.instance(part, "part", {{"pair", given}, {"low", low_shown}}, "The part.");
  return m;
}

Mutant mutant_of(const rtl::Module& module, const std::string& net, const std::string& term,
                 const gen::Change& becomes) {
  Mutant m{.module = module.name(), .net = net, .change = term, .file = "", .line = 0};
  m.fault = {"a change", module.name(), net, term, becomes};
  for (const gen::Place& p : gen::places_of(module))
    if (p.nets.contains(net) && rtl::verilog(p.sound) == term && !m.fault.place) m.fault.place = p.number;
  EXPECT_TRUE(m.fault.place) << term;
  return m;
}

Mutant mutant(const std::string& net, const std::string& term, const gen::Change& becomes) {
  return mutant_of(counter(), net, term, becomes);
}

gen::Change to(const Expr& e) {
  return [e](const Expr&, const gen::Nets&) { return e; };
}

TEST(Mutants, AreEvenOverModulesAndTheSameForASeed) {
  const rtl::Module top = gen::elaborate(gen::load_config("l1d")).top;
  const auto mutants = gen::draw_mutants(top, 90, 7), again = gen::draw_mutants(top, 90, 7);
  ASSERT_EQ(mutants.size(), 90u);
  std::map<std::string, int> of_module;
  for (std::size_t n = 0; n < mutants.size(); ++n) {
    ++of_module[mutants[n].module];
    EXPECT_EQ(mutants[n].net + mutants[n].change, again[n].net + again[n].change);
    EXPECT_FALSE(mutants[n].module.starts_with("sram_"));
  }
  for (const auto& [module, count] : of_module) EXPECT_NEAR(count, 90.0 / of_module.size(), 1) << module;
  std::set<std::string> words;
  for (const Mutant& m : gen::draw_mutants(top, 600, 7))
    for (const char* word : {"becomes", "always", "never", "inverted", "stuck at 0", "stuck at 1", "swapped",
                             "reset value", "condition"})
      if (m.change.find(word) != std::string::npos) words.insert(word);
  EXPECT_EQ(words.size(), 9u);
}

// Each module has the same mutants by itself as among all.
TEST(Mutants, OfNamedModulesAreThoseThatTheyHaveAmongAll) {
  const rtl::Module top = gen::elaborate(gen::load_config("l1d_tsc")).top;
  const std::vector<std::string> names = gen::mutable_modules(top);
  ASSERT_GT(names.size(), 2u);
  for (const std::string& name : names) EXPECT_FALSE(name.starts_with("sram_"));
  const auto words = [](const Mutant& m) { return m.module + " " + m.net + " " + m.change; };
  std::set<std::string> among_all, alone;
  const auto all = gen::draw_mutants(top, 10 * names.size(), 5);
  for (const Mutant& m : all)
    if (m.module == names[1] || m.module == names.back()) among_all.insert(words(m));
  for (const Mutant& m : gen::draw_mutants(top, among_all.size(), 5, {names[1], names.back()}))
    alone.insert(words(m));
  EXPECT_FALSE(among_all.empty());
  EXPECT_EQ(alone, among_all);
}

TEST(Mutants, ChangeTheTextAndNameTheLineThatMadeIt) {
  const rtl::Module top = gen::elaborate(gen::load_config("l1d_tsc")).top;
  std::map<std::string, rtl::Module> modules;
  for (const rtl::Module& m : rtl::modules_of(top)) modules.emplace(m.name(), m);
  for (const Mutant& m : gen::draw_mutants(top, 200, 3)) {
    const rtl::Module& module = modules.at(m.module);
    EXPECT_NE(gen::faulty_text(module, m.fault), gen::verilog(module)) << m.net << " " << m.change;
    EXPECT_TRUE(m.file.starts_with("hw/")) << m.file;
    const std::string source = gen::read_file(verif::in_source() + "/" + m.file);
    EXPECT_GE(std::ranges::count(source, '\n'), m.line);
  }
}

TEST(Equivalence, DecidesFromResetOnAndInTheUnit) {
  const auto of_counter = [&](const Mutant& m) { return gen::equivalence(counter(), m); };
  // Six and seven are never reached.
  EXPECT_EQ(of_counter(mutant("count_q", "count_q >= 3'd5",
                              [](const Expr& sound, const gen::Nets&) {
                                const auto& sides = sound.node().args;
                                return sides[0] == sides[1];
                              })),
            Equivalence::equivalent);
  EXPECT_EQ(of_counter(mutant("count_q", "3'd5", to(rtl::lit(3, 4)))), Equivalence::different);
  EXPECT_EQ(of_counter(mutant("count_q", "3'd0", to(rtl::lit(3, 1)))), Equivalence::different);
  // The unit always counts; the module by itself need not.
  const Mutant always = mutant("count_q", "up", to(rtl::lit(1, 1)));
  EXPECT_EQ(of_counter(always), Equivalence::different);
  EXPECT_EQ(gen::equivalence(clock_of_five(), always), Equivalence::equivalent);
  // What its part does not use may change in a top, too.
  const rtl::Module top = half_used();
  const auto stuck = [&](std::uint64_t bits) {
    return gen::equivalence(
        top, mutant_of(top, "part.pair", "given",
                       [bits](const Expr& e, const gen::Nets&) { return e | rtl::lit(2, bits); }));
  };
  EXPECT_EQ(stuck(2), Equivalence::equivalent);
  EXPECT_EQ(stuck(1), Equivalence::different);
}

// The sound side reads the part, the faulty one does not: it has the same ports in the proof all the same.
TEST(Equivalence, KeepsAPartThatTheMutantDoesNotRead) {
  rtl::Module m("gated", "Shows a number at times.");
  const Expr up = m.input("up", 1, "whether it counts"), on = m.input("on", 1, "whether it is shown");
  const Expr shown = m.output("shown", 3, "the number"), count = m.wire("count", 3, "the number");
  m.instance(counter(), "ring", {{"up", up}, {"shown", count}}, "The ring.");
  m.assign(shown, count & rtl::replicate(3, on));
  const auto as = [&](const Expr& e) {
    return gen::equivalence(m, mutant_of(m, "shown", "count & {3{on}}", to(e)));
  };
  EXPECT_EQ(as(rtl::replicate(3, on)), Equivalence::different);
  EXPECT_EQ(as(rtl::replicate(3, on) & count), Equivalence::equivalent);
}

// Its reset values are stated in terms of its depth.
TEST(Equivalence, ReadsModulesWithParameters) {
  const rtl::Module queue = hw::fifo(4, 3);
  std::map<Equivalence, int> answers;
  for (const Mutant& m : gen::draw_mutants(queue, 8, 1)) ++answers[gen::equivalence(queue, m)];
  EXPECT_GT(answers[Equivalence::different], 4);
}

// Counts while it goes; `fast_q` counts then alone, and is set with each start. 40 bits are too many steps
// for a search of the states.
rtl::Module ride() {
  rtl::Module m("ride", "Counts by one or by two from a start on.");
  const Expr start = m.input("start", 1, "begins, unless it goes"), fast = m.input("fast", 1, "by two");
  const Expr shown = m.output("shown", 40, "the number");
  const Expr goes_q = m.reg("goes_q", 1, 0, "it counts"), fast_q = m.reg("fast_q", 1, 0, "by two");
  const Expr count_q = m.reg("count_q", 40, 0, "the number");
  const Expr step = rtl::mux(fast_q, rtl::lit(40, 2), rtl::lit(40, 1));
  m.clocked("Count.", [&] {
    m.when(goes_q, [&] {
       m.set(count_q, count_q + step);
       m.set(goes_q, ~rtl::all(count_q));
     }).otherwise([&] {
      m.when(start, [&] {
        m.set(goes_q, rtl::lit(1, 1));
        m.set(fast_q, fast);
      });
    });
  });
  m.assign(shown, count_q);
  return m;
}

TEST(Equivalence, SeesThatARegisterCountsOnlyAtTimes) {
  const auto reset_of = [](const std::string& net) {
    Mutant m{.module = "ride", .net = net, .change = "reset", .file = "", .line = 0};
    for (const gen::Place& p : gen::places_of(ride()))
      if (p.role == gen::Place::Role::reset && p.nets.contains(net)) {
        m.fault = {"a reset value", "ride", net, gen::reset_value, to(rtl::lit(p.sound.width(), 1))};
        m.fault.place = p.number;
      }
    return m;
  };
  EXPECT_EQ(gen::equivalence(ride(), reset_of("fast_q")), Equivalence::equivalent);
  EXPECT_EQ(gen::equivalence(ride(), reset_of("goes_q")), Equivalence::different);
}

// Waiting cars: one where none waits, so that the first one counts. Its reset value lasts for a cycle.
rtl::Module waiting() {
  rtl::Module m("waiting", "Counts cars that wait.");
  const Expr in_use = m.input("in_use", 1, "there is a queue"), comes = m.input("comes", 1, "one more");
  const Expr cars = m.output("cars", 40, "cars that wait"), cars_q = m.reg("cars_q", 40, 1, "cars that wait");
  m.clocked("Count.",
            [&] { m.set(cars_q, rtl::mux(in_use, cars_q + rtl::zext(comes, 40), rtl::lit(40, 1))); });
  m.assign(cars, cars_q);
  return m;
}

// Shows the cars of a queue while there is one, which begins in a cycle behind the first.
rtl::Module crossing() {
  rtl::Module m("crossing", "A queue at a crossing.");
  const Expr red = m.input("red", 1, "cars wait"), comes = m.input("comes", 1, "one more");
  const Expr shown = m.output("shown", 40, "cars that wait"),
             red_q = m.reg("red_q", 1, 0, "there is a queue");
  m.clocked("The light.", [&] { m.set(red_q, red); });
  const Expr cars = m.wire("cars", 40, "cars that wait");
  m.instance(waiting(), "queue", {{"in_use", red_q}, {"comes", comes}, {"cars", cars}}, "The queue.");
  m.assign(shown, cars & rtl::replicate(40, red_q));
  return m;
}

// Two crossings and, if `open`, a queue whose cars are shown always.
rtl::Module street(bool open) {
  rtl::Module m("street", "Two crossings.");
  const Expr red = m.input("red", 1, "cars wait"), comes = m.input("comes", 1, "one more");
  for (const char* name : {"first", "second"}) {
    const Expr shown = m.output(name, 40, "cars that wait");
    m.instance(crossing(), fmt::format("{}_crossing", name),
               {{"red", red}, {"comes", comes}, {"shown", shown}}, "A crossing.");
  }
  if (!open) return m;
  const Expr cars = m.output("cars", 40, "cars that wait");
  m.instance(waiting(), "queue", {{"in_use", red}, {"comes", comes}, {"cars", cars}}, "A queue.");
  return m;
}

TEST(Equivalence, SeesThatAResetValueIsGoneBeforeItCounts) {
  Mutant m{.module = "waiting", .net = "cars_q", .change = "reset", .file = "", .line = 0};
  for (const gen::Place& p : gen::places_of(waiting()))
    if (p.role == gen::Place::Role::reset) {
      m.fault = {"a reset value", "waiting", "cars_q", gen::reset_value, to(rtl::lit(40, 4))};
      m.fault.place = p.number;
    }
  EXPECT_EQ(gen::equivalence(waiting(), m), Equivalence::different);
  EXPECT_EQ(gen::equivalence(crossing(), m), Equivalence::equivalent);
  EXPECT_EQ(gen::equivalence(street(false), m), Equivalence::equivalent);
  // Not every queue is at a crossing.
  EXPECT_EQ(gen::equivalence(street(true), m), Equivalence::different);
}

// Numbers of a request that stays, beside those of the next one; `any_q`: there is one.
rtl::Module staying() {
  rtl::Module m("staying", "Numbers of the request.");
  const Expr moves = m.input("moves", 1, "the next request"), coming = m.input("coming", 40, "its numbers");
  const Expr shown = m.output("shown", 40, "numbers of the request");
  const Expr entered_q = m.reg("entered_q", 1, 0, "a request came"), any_q = m.reg("any_q", 1, 0, "has some");
  const Expr coming_q = m.reg("coming_q", 40, 0, "of that request"),
             stayed_q = m.reg("stayed_q", 40, 0, "of one that stayed");
  const Expr bits = m.let("bits", rtl::mux(entered_q, coming_q, stayed_q), "numbers, if there is one");
  m.clocked("The next cycle.", [&] {
    m.set(entered_q, moves);
    m.set(coming_q, coming);
    m.set(stayed_q, bits);
    m.set(any_q, rtl::mux(moves, rtl::any(coming), any_q));
  });
  m.assign(shown, bits & rtl::replicate(40, any_q));
  return m;
}

TEST(Equivalence, SeesThatARegisterCountsUnderTwoConditions) {
  Mutant m{.module = "staying", .net = "stayed_q", .change = "reset", .file = "", .line = 0};
  for (const gen::Place& p : gen::places_of(staying()))
    if (p.role == gen::Place::Role::reset && p.nets.contains("stayed_q")) {
      m.fault = {"a reset value", "staying", "stayed_q", gen::reset_value, to(rtl::lit(40, 4))};
      m.fault.place = p.number;
    }
  EXPECT_EQ(gen::equivalence(staying(), m), Equivalence::equivalent);
}

// The row that a RAM is not asked to write may be any.
TEST(Equivalence, SeesThatARamLooksAtItsInputsAtTimes) {
  rtl::Module m("notes", "A RAM.");
  const Expr write = m.input("write", 1, "of the row"), row = m.input("row", 3, "number of a row");
  const Expr data = m.input("data", 8, "new value"), shown = m.output("shown", 8, "the row read last");
  const Expr read = m.input("read", 1, "of row 0");
  m.instance(hw::sram_1r1w(8, 8), "rows",
             {{"read", read},
              {"read_row", rtl::lit(3, 0)},
              {"read_data", shown},
              {"write", write},
              {"write_row", m.let("written", row & rtl::replicate(3, write), "the row")},
              {"write_data", data}},
             "The RAM.");
  int dropped = 0;
  for (const Mutant& mutant : gen::draw_mutants(m, 60, 1)) {
    if (mutant.net != "written") continue;
    const bool same = mutant.change == "'row & {3{write}}' becomes 'row'";
    dropped += same;
    const auto wanted = same ? Equivalence::equivalent : Equivalence::different;
    if (same || mutant.change.ends_with("becomes '{3{write}}'")) {
      EXPECT_EQ(gen::equivalence(m, mutant), wanted);
    }
  }
  EXPECT_EQ(dropped, 1);
}

TEST(VerifyReport, ScoresWhatIsNotEquivalent) {
  const auto judged = [](const std::string& module, gen::Fate fate) {
    gen::JudgedMutant m;
    m.mutant.module = module;
    m.fate = fate;
    return m;
  };
  const std::vector<gen::JudgedMutant> all{judged("a", gen::Fate::killed), judged("a", gen::Fate::equivalent),
                                           judged("b", gen::Fate::killed), judged("b", gen::Fate::unknown),
                                           judged("b", gen::Fate::survived)};
  const auto scores = gen::scores_of(all);
  ASSERT_EQ(scores.size(), 2u);
  EXPECT_EQ(scores[1].unknown.size(), 1u);
  EXPECT_EQ(scores[1].survived.size(), 1u);
  EXPECT_EQ(gen::score_text(scores[0].mutants, scores[0].killed, scores[0].equivalent), "100.0 %");
  EXPECT_EQ(gen::score_text(scores[1].mutants, scores[1].killed, scores[1].equivalent), "33.3 %");
  EXPECT_EQ(gen::score_text(2, 0, 2), "-");
}

}  // namespace
