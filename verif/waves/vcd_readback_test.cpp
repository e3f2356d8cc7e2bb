// libvcd: every value change, read back through GTKWave's vcd2fst and fst2vcd.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <random>

#include "cosim/waves/vcd.h"
#include "verif/temp_folder.h"

namespace {

using verif::VcdWriter;

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

TEST(VcdReadback, GtkwaveSeesEveryValueChange) {
  const verif::TempFolder folder;
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
  VcdWriter vcd(folder.path("w.vcd"), "10ps");
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
                               folder.path());
  ASSERT_EQ(std::system(run.c_str()), 0) << folder.content("log");
  const Changes back = read_vcd(folder.path("back.vcd"));
  ASSERT_EQ(back.size(), expected.size());
  for (const auto& [name, changes] : expected) EXPECT_TRUE(back.at(name) == changes) << name;
  EXPECT_TRUE(read_vcd(folder.path("w.vcd")) == expected);
}

}  // namespace
