// libvcd: exact bytes of a small file, many signals, and errors that leave nothing.
#include "cosim/waves/vcd.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "verif/temp_folder.h"

namespace {

using golden::FileError;
using testing::IsEmpty;
using verif::VcdWriter;

class VcdTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  verif::TempFolder folder_;
};

template <class Error, class F>
std::string thrown(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

const std::string written =
    "$version l1forge $end\n"
    "$timescale 1ns $end\n"
    "$scope module dut $end\n"
    "$var wire 1 \" hit $end\n"
    "$var wire 5 # set_index [4:0] $end\n"
    "$scope module tags $end\n"
    "$var wire 66 ! line [65:0] $end\n"
    "$upscope $end\n"
    "$upscope $end\n"
    "$scope module golden $end\n"
    "$var wire 7 $ ways[3] [6:0] $end\n"
    "$var wire 1 % hit $end\n"
    "$upscope $end\n"
    "$enddefinitions $end\n"
    "#10\n"
    "$dumpvars\n"
    "b1" +
    std::string(65, '0') +
    " !\n"
    "0\"\n"
    "b101 #\n"
    "bx $\n"
    "x%\n"
    "$end\n"
    "#12\n"
    "b11111 #\n"
    "b101 $\n"
    "0%\n"
    "#13\n"
    "b1 !\n"
    "#14\n"
    "1\"\n"
    "b1000000 $\n"
    "1%\n"
    "#20\n"
    "bx $\n"
    "x%\n"
    "#25\n";

TEST_F(VcdTest, WritesExactlyWhatChanged) {
  std::uint8_t hit = 0, index = 5;
  std::uint32_t line[3] = {0, 0, 2};
  std::uint64_t expected = 5;
  bool valid = false;
  VcdWriter vcd(path("w.vcd"), "1ns");
  const auto dut = vcd.scope("dut"), golden = vcd.scope("golden"), tags = vcd.scope(dut, "tags");
  vcd.add(tags, "line", 66, line);
  vcd.add(dut, "hit", 1, &hit);
  const auto set_index = vcd.add(dut, "set_index", 5, &index);
  const auto way = vcd.add(golden, "ways[3]", 7, [&](std::span<std::uint64_t> words) {
    words[0] = expected;
    return valid;
  });
  vcd.add(vcd.scope("golden"), "hit", 1, [&](std::span<std::uint64_t> words) {
    words[0] = hit;
    return valid;
  });
  EXPECT_EQ(vcd.full_name(set_index), "dut.set_index[4:0]");
  EXPECT_EQ(vcd.full_name(way), "golden.ways[3][6:0]");
  vcd.start();
  vcd.sample(10);
  vcd.sample(11);
  valid = true;
  index = 0x1F;
  vcd.sample(12);
  index = 0xFF;  // bits beyond the width do not count
  line[0] = 1;
  line[2] = 0;
  vcd.sample(13);
  expected = 64;
  hit = 1;
  vcd.sample(14);
  valid = false;
  vcd.sample(20);
  vcd.sample(25);
  EXPECT_FALSE(std::filesystem::exists(path("w.vcd")));
  vcd.close();
  EXPECT_THAT(folder_.names(), testing::ElementsAre("w.vcd"));
  EXPECT_EQ(folder_.content("w.vcd"), written);
}

TEST_F(VcdTest, ManySignalsHaveShortUniqueIdentifiers) {
  constexpr int count = 100'000;
  std::vector<std::uint16_t> values(count);
  VcdWriter vcd(path("w.vcd"), "1ns");
  const auto top = vcd.scope("top");
  for (int i = 0; i < count; ++i) vcd.add(top, fmt::format("s{}", i), 16, &values[i]);
  vcd.start();
  vcd.sample(0);
  for (int i = 1; i < 100; ++i) {
    values[i * 1000] = static_cast<std::uint16_t>(i);
    vcd.sample(i);
  }
  vcd.close();
  std::ifstream in(path("w.vcd"));
  std::set<std::string> codes;
  size_t longest = 0;
  int later = 0;
  bool started = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("$var wire 16 ")) {
      const auto code = line.substr(13, line.find(' ', 13) - 13);
      longest = std::max(longest, code.size());
      codes.insert(code);
    }
    later += started && line[0] == 'b';
    started |= line == "#1";
  }
  EXPECT_EQ(codes.size(), static_cast<size_t>(count));
  EXPECT_EQ(longest, 3u);
  EXPECT_EQ(later, 99);
}

TEST_F(VcdTest, SameCallsGiveSameBytes) {
  for (const char* name : {"a.vcd", "b.vcd"}) {
    std::uint8_t x = 1;
    VcdWriter vcd(path(name), "1us");
    vcd.add(vcd.scope("top"), "x", 3, &x);
    vcd.start();
    vcd.sample(0);
    vcd.close();
  }
  EXPECT_EQ(folder_.content("a.vcd"), folder_.content("b.vcd"));
}

TEST_F(VcdTest, ReplacesAnOlderFileOnlyAtTheEnd) {
  std::ofstream(path("w.vcd")) << "old";
  {
    VcdWriter vcd(path("w.vcd"), "1ns");
    vcd.start();
    EXPECT_EQ(folder_.names().size(), 2u);
  }
  EXPECT_EQ(folder_.content("w.vcd"), "old");
  EXPECT_EQ(folder_.names().size(), 1u);
  VcdWriter vcd(path("w.vcd"), "1ns");
  vcd.start();
  vcd.close();
  EXPECT_EQ(folder_.content("w.vcd"), "$version l1forge $end\n$timescale 1ns $end\n$enddefinitions $end\n");
}

TEST_F(VcdTest, UnwritablePlaces) {
  const auto none = path("none/w.vcd");
  EXPECT_EQ(thrown<FileError>([&] { VcdWriter(none, "1ns"); }),
            "cannot write " + none + ": No such file or directory");
  EXPECT_EQ(thrown<FileError>([&] { VcdWriter(folder_.path("."), "1ns"); }),
            "cannot write " + folder_.path(".") + ": Is a directory");
  EXPECT_THAT(folder_.names(), IsEmpty());
  std::ofstream(path("file")) << "";
  const auto below = path("file/w.vcd");
  EXPECT_EQ(thrown<FileError>([&] { VcdWriter(below, "1ns"); }),
            "cannot write " + below + ": Not a directory");
  VcdWriter device("/dev/null", "1ns");
  device.start();
  device.close();
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

TEST_F(VcdTest, AFullDiskLeavesNothing) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = old;
  small.rlim_cur = 10'000;
  std::vector<std::uint64_t> wide(2000);
  const auto message = thrown<FileError>([&] {
    VcdWriter vcd(path("w.vcd"), "1ns");
    vcd.add(vcd.scope("top"), "wide", 64 * 2000, wide.data());
    vcd.start();
    ::setrlimit(RLIMIT_FSIZE, &small);
    for (std::uint64_t i = 0; i < 100; ++i) {
      wide.back() = (i + 1) << 50;
      vcd.sample(i);
    }
    vcd.close();
  });
  ::setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(message, "cannot write " + path("w.vcd") + ": File too large");
  EXPECT_THAT(folder_.names(), IsEmpty());
}

TEST_F(VcdTest, RefusesMisuse) {
  using Misuse = std::invalid_argument;
  std::uint8_t x = 0;
  EXPECT_EQ(thrown<Misuse>([&] { VcdWriter(path("w.vcd"), "2ns"); }),
            "waveform timescale '2ns' is not 1, 10 or 100 and s, ms, us, ns, ps or fs");
  VcdWriter vcd(path("w.vcd"), "100fs");
  const auto top = vcd.scope("top");
  for (const char* name : {"", "a b", "a.b", "1a", "a[", "a[]", "a[1]b", "a[x]", "[1]", "a]"}) {
    const auto text = fmt::format("waveform name '{}' is not an identifier or one with [indices]", name);
    EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, name, 1, &x); }), text);
    EXPECT_EQ(thrown<Misuse>([&] { vcd.scope(top, name); }), text);
  }
  vcd.add(top, "x", 8, &x);
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "x", 1, &x); }), "waveform scope 'top' has 'x' twice");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.scope(top, "x"); }), "waveform scope 'top' has 'x' twice");
  vcd.scope(top, "inner");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "inner", 1, &x); }), "waveform scope 'top' has 'inner' twice");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "y", 0, &x); }), "waveform signal 'y' has width 0, at least 1");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add({}, "y", 1, &x); }), "waveform signal 'y' is in no scope");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.sample(0); }), "waveform samples come between start() and close()");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.close(); }), "a waveform file is closed once, after start()");
  vcd.start();
  EXPECT_EQ(thrown<Misuse>([&] { vcd.scope("more"); }), "waveform scopes and signals come before start()");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "z", 1, &x); }),
            "waveform scopes and signals come before start()");
  vcd.sample(7);
  EXPECT_EQ(thrown<Misuse>([&] { vcd.sample(7); }), "waveform sample at 7 comes after the one at 7");
  vcd.close();
  EXPECT_EQ(thrown<Misuse>([&] { vcd.sample(8); }), "waveform samples come between start() and close()");
}

}  // namespace
