// libvcd: exact bytes of a small file, value changes read back by GTKWave's tools, and errors that leave
// nothing.
#include "verif/cosim/vcd.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "verif/temp_folder.h"

namespace {

using testing::IsEmpty;
using verif::FileError;
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
  EXPECT_EQ(folder_.content("w.vcd"),
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
                "#25\n");
}

// Value changes by signal, in time order, as a reader of VCD text sees them; independent of the writer.
using Changes = std::map<std::string, std::vector<std::string>>;

std::string widened(std::string bits, size_t width) {
  return bits.size() < width ? std::string(width - bits.size(), bits[0] == '1' ? '0' : bits[0]) + bits : bits;
}

Changes read_vcd(const std::string& file) {
  std::ifstream in(file);
  std::map<std::string, std::vector<std::pair<std::string, size_t>>> names;  // by identifier
  std::vector<std::string> scopes;
  std::map<std::string, std::string> latest;
  Changes changes;
  std::string time = "0";
  const auto change = [&](const std::string& code, const std::string& bits) {
    ASSERT_TRUE(names.contains(code)) << code;
    for (const auto& [name, width] : names[code]) {
      const std::string value = widened(bits, width);
      if (latest[name] != value && !(latest[name].empty() && value[0] == 'x'))
        changes[name].push_back(fmt::format("{} {}", time, latest[name] = value));
    }
  };
  for (std::string word; in >> word;) {
    if (word == "$scope") {
      std::string kind, name, end;
      in >> kind >> name >> end;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string kind, width, code, name, full;
      in >> kind >> width >> code >> name;
      for (const auto& scope : scopes) full += scope + ".";
      names[code].emplace_back(full + name, std::stoul(width));
    } else if (word[0] == '#') {
      time = word.substr(1);
    } else if (word[0] == 'b') {
      std::string code;
      in >> code;
      change(code, word.substr(1));
    } else if (word[0] == '0' || word[0] == '1' || word[0] == 'x') {
      if (word.size() > 1 && names.contains(word.substr(1))) change(word.substr(1), word.substr(0, 1));
    }
  }
  return changes;
}

TEST_F(VcdTest, GtkwaveReadsBackEveryValueChange) {
  for (const char* tool : {"vcd2fst", "fst2vcd"})
    ASSERT_EQ(std::system(fmt::format("command -v {} > /dev/null", tool).c_str()), 0)
        << tool << " is missing; install the package gtkwave";
  std::mt19937_64 random(9);
  struct Value {
    std::string name;
    int width;
    std::vector<std::uint32_t> words;
    bool known;
    std::string bits;
  };
  std::vector<Value> values;
  for (const char* top : {"dut", "golden"})
    for (const int width : {1, 2, 5, 7, 8, 9, 16, 25, 31, 32, 33, 63, 64, 65, 100, 257, 1024})
      for (int copy = 0; copy < 4; ++copy)
        values.push_back({fmt::format("{}.s{}_{}", top, width, copy), width,
                          std::vector<std::uint32_t>((width + 63) / 64 * 2), false, "x"});
  VcdWriter vcd(path("w.vcd"), "10ps");
  for (Value& value : values) {
    const auto dot = value.name.find('.');
    const auto scope = vcd.scope(value.name.substr(0, dot));
    const std::string name = value.name.substr(dot + 1);
    if (name.back() % 2) {
      vcd.add(scope, name, value.width, [&value](std::span<std::uint64_t> words) {
        for (size_t i = 0; i < words.size(); ++i)
          words[i] = value.words[2 * i] | std::uint64_t{value.words[2 * i + 1]} << 32;
        return value.known;
      });
    } else {
      value.known = true;
      vcd.add(scope, name, value.width, value.words.data());
    }
  }
  vcd.start();
  Changes expected;
  std::uint64_t time = 3;
  for (int step = 0; step < 300; ++step, time += 1 + random() % 5) {
    for (Value& value : values) {
      if (random() % 3 == 0) {
        for (std::uint32_t& word : value.words)
          word = random() % 2 ? static_cast<std::uint32_t>(random()) : 0;
        if (value.name.back() % 2) value.known = random() % 4 != 0;
      }
      std::string bits(value.width, 'x');
      for (int i = 0; value.known && i < value.width; ++i)
        bits[value.width - 1 - i] = static_cast<char>('0' + (value.words[i / 32] >> (i % 32) & 1));
      if (bits == widened(value.bits, value.width)) continue;
      value.bits = bits;
      expected[value.name].push_back(fmt::format("{} {}", time, bits));
    }
    vcd.sample(time);
  }
  vcd.close();
  const auto run = fmt::format("cd {} && vcd2fst w.vcd w.fst > log 2>&1 && fst2vcd w.fst > back.vcd 2>> log",
                               folder_.path());
  ASSERT_EQ(std::system(run.c_str()), 0) << folder_.content("log");
  const Changes back = read_vcd(path("back.vcd"));
  ASSERT_EQ(back.size(), expected.size());
  for (const auto& [name, changes] : expected) EXPECT_TRUE(back.at(name) == changes) << name;
  EXPECT_TRUE(read_vcd(path("w.vcd")) == expected);
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
            "VCD timescale '2ns' is not 1, 10 or 100 and s, ms, us, ns, ps or fs");
  VcdWriter vcd(path("w.vcd"), "100fs");
  const auto top = vcd.scope("top");
  for (const char* name : {"", "a b", "a.b", "1a", "a[", "a[]", "a[1]b", "a[x]", "[1]", "a]"}) {
    const auto text = fmt::format("VCD name '{}' is not an identifier or one with [indices]", name);
    EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, name, 1, &x); }), text);
    EXPECT_EQ(thrown<Misuse>([&] { vcd.scope(top, name); }), text);
  }
  vcd.add(top, "x", 8, &x);
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "x", 1, &x); }), "VCD scope 'top' has 'x' twice");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.scope(top, "x"); }), "VCD scope 'top' has 'x' twice");
  vcd.scope(top, "inner");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "inner", 1, &x); }), "VCD scope 'top' has 'inner' twice");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "y", 0, &x); }), "VCD signal 'y' has width 0, at least 1");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add({}, "y", 1, &x); }), "VCD signal 'y' is in no scope");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.sample(0); }), "VCD samples come between start() and close()");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.close(); }), "a VCD file is closed once, after start()");
  vcd.start();
  EXPECT_EQ(thrown<Misuse>([&] { vcd.scope("more"); }), "VCD scopes and signals come before start()");
  EXPECT_EQ(thrown<Misuse>([&] { vcd.add(top, "z", 1, &x); }), "VCD scopes and signals come before start()");
  vcd.sample(7);
  EXPECT_EQ(thrown<Misuse>([&] { vcd.sample(7); }), "VCD sample at 7 comes after the one at 7");
  vcd.close();
  EXPECT_EQ(thrown<Misuse>([&] { vcd.sample(8); }), "VCD samples come between start() and close()");
}

}  // namespace
