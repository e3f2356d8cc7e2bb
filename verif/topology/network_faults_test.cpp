// Faults inside the networks of topologies, on the Verilog, against the scoreboard of the cores alone: what
// follows a lost, surplus or wrong flit, credit or message on each stream, and its code with checks; and
// cores that search each other's L1s, whose probes and lines may go in any way while each load has the right
// data exactly once.
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/cosim/cosim.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "verif/full_tier.h"
#include "verif/mutate/injected_faults.h"
#include "verif/parameters/small_topologies.h"
#include "verif/topology/by_scoreboard.h"
#include "verif/topology/remote_losses.h"

namespace {

using rtl::Expr;
using verif::Fault, verif::Nets;

// One in eight, by three bits of a net.
Expr seldom(const Nets& net, const std::string& by, int bit) { return rtl::all(net(by).slice(bit + 2, bit)); }

// Of lines of 64 bytes: the lowest bits of a request's line or a reply's id, in a message and in the fields
// beside a flit.
struct Bits {
  int message = 0, side = 0;
};
constexpr Bits request{584, 34}, reply{514, 2};

Expr with_bit_0(const Expr& sound, const Expr& inverted) {
  return sound.width() == 1 ? sound ^ inverted : sound ^ rtl::zext(inverted, sound.width());
}

// A stream through a network: the sender's module, packetiser and messages, and the receiver's module,
// receiver and link.
struct Stream {
  std::string name;
  Bits bits;
  std::string from, sender, messages, to, receiver, link;
  bool addressed = false;  // the sender says where a message goes
};

std::vector<Fault> faults_of(const Stream& s) {
  const auto when = [](const std::string& by, int bit, auto change) {
    return [=](const Expr& sound, const Nets& net) { return change(sound, seldom(net, by, bit)); };
  };
  const auto at_receiver = [&](auto change) { return when(s.link + "_side", s.bits.side, change); };
  const auto at_sender = [&](auto change) { return when(s.messages, s.bits.message, change); };
  const auto lost = [](const Expr& sound, const Expr& when) { return sound & ~when; };
  const auto surplus = [](const Expr& sound, const Expr& when) { return sound | when; };
  std::vector<Fault> faults{
      {"a flit is lost", s.to, s.receiver + ".in_valid", "", at_receiver(lost)},
      {"a wrong bit of the data", s.to, s.receiver + ".in_data", "", at_receiver(with_bit_0)},
      {"a credit is lost", s.from, s.sender + ".out_credit_valid", "", at_sender(lost)},
      {"a credit for no flit", s.from, s.sender + ".out_credit_valid", "", at_sender(surplus)},
      {"another id", s.from, s.sender + ".in_id", "", at_sender(with_bit_0)}};
  if (s.addressed)
    faults.push_back(
        {"another destination", s.from, s.sender + ".in_destination", "", at_sender(with_bit_0)});
  for (Fault& f : faults) f.what = s.name + " | " + f.what;
  return faults;
}

// The whole name of the module that a fault names by its end: the shortest.
void name_module(Fault& fault, const rtl::Module& top) {
  std::string found;
  for (const rtl::Module& m : rtl::modules_of(top))
    if (m.name().ends_with(fault.module) && (found.empty() || m.name().size() < found.size()))
      found = m.name();
  fault.module = found;
}

// What the scoreboard first accuses, by fault; "" for nothing.
class ByScoreboard {
 public:
  enum class By { scoreboard, own_checks };
  ByScoreboard(const std::string& preset, const verif::Flags& flags, std::vector<Fault> faults,
               By by = By::scoreboard)
      : config_(gen::load_config(preset, flags)) {
    gen::ProgramSource source = gen::cosim_program(config_);
    const rtl::Module top = gen::elaborate(config_).top;
    for (Fault& fault : faults) name_module(fault, top);
    verif::inject_all(source.verilog, top, faults);
    source.name += "_network_faults";
    source.lint = false;
    by == By::scoreboard ? verif::against_scoreboard(source) : verif::against_own_checks(source);
    program_ = gen::build_program(source).string();
  }

  // Of the sound unit, 0, or the fault of this number, from 1.
  std::string accused(std::size_t number, std::int64_t cycles) const {
    const nlohmann::json options{{"top", config_.top},
                                 {"random_cycles", cycles},
                                 {"seed", 3},
                                 {"coverage", false},
                                 {"report", (work_ / "report.json").string()}};
    gen::write_file_atomically(work_ / "options.json", options.dump());
    gen::write_file_atomically(work_ / verif::fault_file, fmt::format("{:x}\n", number));
    const auto done =
        gen::run({.argv = {program_, (work_ / "options.json").string()}, .folder = work_.path()});
    if (done.status != 0 && done.status != 1) return "status " + std::to_string(done.status) + done.output;
    const auto report = nlohmann::json::parse(gen::read_file(work_ / "report.json"));
    const auto& mismatches = report["mismatches"];
    return mismatches.empty() ? "" : mismatches[0]["port"].get<std::string>();
  }

 private:
  const gen::Config config_;
  const gen::TempDir work_{"network_faults"};
  std::string program_;
};

// In the words of docs/verification.md.
std::string words_for(const std::string& accused) {
  using std::string_view;
  constexpr std::pair<string_view, string_view> all[] = {{"nothing moves", "no answer"},
                                                         {"without an answer", "no answer"},
                                                         {"nobody waits for", "an answer too many"},
                                                         {": mask", "wrong chunks"},
                                                         {": data", "wrong bytes"}};
  for (const auto& [part, words] : all)
    if (accused.find(part) != accused.npos) return std::string(words);
  return accused.empty() ? "nothing" : accused;
}

std::vector<Fault> faults_of(const std::vector<Stream>& streams) {
  std::vector<Fault> all;
  for (const Stream& s : streams) std::ranges::copy(faults_of(s), std::back_inserter(all));
  return all;
}

// Each fault has a row of the page, with what the cores get, and the code that check.ports has.
void expect_stated(const std::string& preset, const verif::Flags& flags, const std::vector<Fault>& faults) {
  const ByScoreboard scoreboard(preset, flags, faults);
  const ByScoreboard checks(preset, verif::with(flags, {"check.ports=true", "check.timeout=8000"}), faults,
                            ByScoreboard::By::own_checks);
  EXPECT_EQ(scoreboard.accused(0, 20'000), "") << "the sound unit";
  EXPECT_EQ(checks.accused(0, 20'000), "") << "the sound unit";
  const std::string page = gen::read_file(gen::paths::source() / "docs/verification.md");
  for (std::size_t n = 0; n < faults.size(); ++n) {
    const std::string code = checks.accused(n + 1, 120'000);
    const std::string row =
        fmt::format("| `{}` | {} | {} | {} |", preset, faults[n].what,
                    words_for(scoreboard.accused(n + 1, 40'000)), code.empty() ? "none" : code);
    fmt::print("{}\n", row);
    EXPECT_THAT(page, testing::HasSubstr("\n" + row + "\n"));
  }
}

const std::vector<Stream> dc_l1{
    {"requests to nodes", request, "_core", "requests", "asked_word", "_node", "requests", "from_noc1", true},
    {"answers of nodes", reply, "_node", "replies", "answered_word", "_core", "replies", "from_noc1"},
    {"requests to slices", request, "_node", "memory_requests", "missed_word", "_slice", "requests",
     "from_noc2"},
    {"answers of slices", reply, "_slice", "replies", "answered_word", "_node", "memory_replies",
     "from_noc2"}};

const std::vector<Stream> shared_l1{{"requests to homes", request, "_core", "home_requests",
                                     "out0_front_word", "_core", "in_receiver", "from_cores", true},
                                    {"answers of homes", reply, "_core", "replies", "reply_out_front_word",
                                     "_core", "reply_in1_receiver", "from_homes"},
                                    {"requests to slices", request, "_core", "slice_requests",
                                     "out1_sent_word", "_slice", "requests", "from_cores", true},
                                    {"answers of slices", reply, "_slice", "replies", "answered_word",
                                     "_core", "reply_in0_receiver", "from_slices"}};

}  // namespace

// What is lost between the cores costs time alone. remote_test finds each of these losses in lock step.
TEST(NetworkFaults, LoadsAreRightWhateverIsLostBetweenCores) {
  const std::vector<Fault> losses = verif::remote_losses();
  std::vector<Fault> faults = losses;
  faults.push_back({"all replies are lost", "_core", "reply_queue.in_valid", "", verif::low()});
  const ByScoreboard scoreboard("remote_core", verif::small_remote(), faults);
  EXPECT_EQ(scoreboard.accused(0, 20'000), "") << "the sound unit";
  for (std::size_t n = 0; n < losses.size(); ++n)
    EXPECT_EQ(scoreboard.accused(n + 1, 40'000), "") << losses[n].what;
  EXPECT_THAT(scoreboard.accused(faults.size(), 40'000), testing::HasSubstr("nothing moves"));
}

TEST(NetworkFaults, OfDcL1) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": minutes";
  const std::vector<Fault> faults = faults_of(dc_l1);
  expect_stated("dc_l1", verif::small_topology("clustered"), faults);
}

TEST(NetworkFaults, OfSharedL1s) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier << ": minutes";
  const std::vector<Fault> faults = faults_of(shared_l1);
  expect_stated("shared_l1", verif::small_shared(), faults);
}
