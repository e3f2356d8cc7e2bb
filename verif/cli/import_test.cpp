// Cache strings of public GPU configurations, Tesla to Hopper: L1 data, instruction, texture and constant
// caches and L2s of the configurations of GPGPU-Sim. Each becomes a file with its numbers, or is refused by
// the parts of the string that are not built.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "gen/config/config.h"
#include "gen/gpgpusim.h"
#include "hw/l1d/l1d_params.h"

namespace {

struct Example {
  const char* text;
  std::vector<std::string> beyond;  // what is named of it; nothing where it is imported
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all{
      {"N:32:128:4,L:L:m:N:H,S:64:8,8", {}},
      {"N:64:128:6,L:L:m:N:H,S:64:8,8", {}},
      {"S:64:128:8,L:B:m:L:L,A:256:4,4:0,32", {"the number of MSHRs 256 at character 24"}},
      {"N:4:128:4,L:R:f:N:L,S:2:32,4", {}},
      {"N:4:128:24,L:R:m:N:L,T:128:4,128:2",
       {"the associativity 24 at character 9", "the miss queue 128 at character 30"}},
      {"N:64:64:2,L:R:f:N:L,S:2:32,4", {}},
      {"S:4:128:32,L:L:s:N:L,A:256:8,16:0,32",
       {"the associativity 32 at character 9", "the number of MSHRs 256 at character 24"}},
      {"S:4:128:96,L:L:s:N:L,A:256:8,16:0,32",
       {"the associativity 96 at character 9", "the number of MSHRs 256 at character 24"}},
      {"S:32:128:16,L:B:m:L:P,A:256:64,16:0,32", {"the number of MSHRs 256 at character 25"}},
      {"N:8:128:4,L:R:f:N:L,S:2:48,4", {}},
      {"N:16:128:24,L:R:m:N:L,T:128:4,128:2",
       {"the associativity 24 at character 10", "the miss queue 128 at character 31"}},
      {"N:128:64:2,L:R:f:N:L,S:2:64,4", {}},
      {"S:64:128:16,L:B:m:L:P,A:256:64,16:0,32", {"the number of MSHRs 256 at character 25"}},
      {"S:1:128:512,L:L:m:N:L,A:256:8,16:0,32",
       {"the number of sets 1 at character 3", "the associativity 512 at character 9",
        "the number of MSHRs 256 at character 25"}},
      {"S:64:128:16,L:B:m:L:P,A:192:4,32:0,32", {"the number of MSHRs 192 at character 25"}},
      {"N:64:128:16,L:R:f:N:L,S:2:48,4", {}},
      {"N:4:128:256,L:R:m:N:L,T:512:8,128:2",
       {"the associativity 256 at character 9", "the number of MSHRs 512 at character 25",
        "the miss queue 128 at character 31"}},
      {"N:128:64:8,L:R:f:N:L,S:2:64,4", {}},
      {"S:4:128:64,L:L:s:N:L,A:256:8,16:0,32",
       {"the associativity 64 at character 9", "the number of MSHRs 256 at character 24"}},
      {"S:32:128:24,L:B:m:L:L,A:192:4,32:0,32",
       {"the associativity 24 at character 10", "the number of MSHRs 192 at character 25"}},
      {"S:4:128:64,L:T:m:L:L,A:512:64,16:0,32",
       {"the associativity 64 at character 9", "the number of MSHRs 512 at character 24"}},
      {"S:128:128:16,L:B:m:L:X,A:192:4,32:0,32",
       {"the size of sets, lines and ways 262144 at character 3", "the number of MSHRs 192 at character 26"}},
      {"S:256:128:20,L:B:m:L:X,A:384:4,32:0,32",
       {"the associativity 20 at character 11", "the size of sets, lines and ways 655360 at character 3",
        "the number of MSHRs 384 at character 26"}},
      {"32:128:4,L:L:m:N:H,A:32:8,8", {}},
      {"64:128:6,L:L:m:N:H,A:32:8,8", {}},
      {"1024:128:8,L:B:m:W:L,A:32:4,4:0,32", {"the size of sets, lines and ways 1048576 at character 1"}},
      {"4:128:4,L:R:f:N:L,A:2:32,4", {}},
      {"16:128:32,L:R:m:N:L,F:128:4,128:2",
       {"the associativity 32 at character 8", "the miss queue 128 at character 29"}},
      {"64:64:2,L:R:f:N:L,A:2:32,4", {}},
      {"4:256:4,L:R:f:N:L,A:2:32,4", {}},
      {"8:128:5,L:R:m:N:L,F:128:4,128:2", {"the miss queue 128 at character 27"}},
      {"16:256:8,L:B:m:W:L,A:16:4,4", {}},
      {"S:1:128:256,L:L:m:N:L,A:256:8,16:0,32",
       {"the number of sets 1 at character 3", "the associativity 256 at character 9",
        "the number of MSHRs 256 at character 25"}},
      {"S:32:128:24,L:B:m:L:P,A:192:4,32:0,32",
       {"the associativity 24 at character 10", "the number of MSHRs 192 at character 25"}},
      {"S:64:128:6,L:L:f:N:H,A:256:8,16:0,32", {"the number of MSHRs 256 at character 24"}},
      {"S:64:128:16,L:B:m:F:L,A:256:4,32:0,32", {"the number of MSHRs 256 at character 25"}},
      {"N:16:128:24,L:R:m:N:L,F:128:4,128:2",
       {"the associativity 24 at character 10", "the miss queue 128 at character 31"}},
      {"S:4:128:64,L:T:m:L:L,A:512:8,16:0,32",
       {"the associativity 64 at character 9", "the number of MSHRs 512 at character 24"}},
      {"S:4:128:256,L:T:m:L:L,A:512:8,16:0,32",
       {"the associativity 256 at character 9", "the number of MSHRs 512 at character 25"}},
      {"S:1:128:256,L:L:s:N:L,A:256:8,16:0,32",
       {"the number of sets 1 at character 3", "the associativity 256 at character 9",
        "the number of MSHRs 256 at character 25"}},
      {"N:32:128:4,L:L:m:N:H,A:32:8,8", {}},
      {"N:64:128:6,L:L:m:N:H,A:32:8,8", {}},
      {"N:64:128:8,L:B:m:W:L,A:32:4,4:0,32", {}},
      {"N:4:128:4,L:R:f:N:L,A:2:32,4", {}},
      {"N:4:128:24,L:R:m:N:L,F:128:4,128:2",
       {"the associativity 24 at character 9", "the miss queue 128 at character 30"}},
      {"N:64:64:2,L:R:f:N:L,A:2:32,4", {}},
      {"32:128:4,L:L:m:N,A:32:8,8", {}},
      {"64:128:6,L:L:m:N,A:32:8,8", {}},
      {"64:128:16,L:B:m:W,A:32:4,4", {}},
      {"4:128:4,L:R:f:N,A:2:32,4", {}},
      {"4:128:24,L:R:m:N,F:128:4,128:2",
       {"the associativity 24 at character 7", "the miss queue 128 at character 26"}},
      {"64:64:2,L:R:f:N,A:2:32,4", {}},
      {"S:64:128:6,L:L:m:N:H,A:128:8,8", {}},
      {"S:64:128:16,L:B:m:F:L,A:256:4,4:0,32", {"the number of MSHRs 256 at character 25"}},
      {"64:128:6,L:L:m:N:H,A:128:8,8", {}},
      {"64:128:16,L:B:m:W:L,A:1024:1024,4:0,32",
       {"the number of MSHRs 1024 at character 23", "the loads that merge into one 1024 at character 28"}},
      {"8:128:4,L:R:f:N:L,A:2:48,4", {}},
      {"16:128:24,L:R:m:N:L,F:128:4,128:2",
       {"the associativity 24 at character 8", "the miss queue 128 at character 29"}},
      {"128:64:2,L:R:f:N:L,A:2:64,4", {}},
      {"S:1:128:512,L:L:s:N:L,A:256:8,16:0,32",
       {"the number of sets 1 at character 3", "the associativity 512 at character 9",
        "the number of MSHRs 256 at character 25"}},
  };
  return all;
}

std::string refusal(const std::string& text) {
  try {
    gen::toml_of_gpgpusim(text);
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

// The numbers of the geometry, in the order of sets, line and ways.
std::vector<std::int64_t> geometry_of(std::string text) {
  if (text[1] == ':' && (text[0] == 'S' || text[0] == 'N')) text = text.substr(2);
  std::replace(text.begin(), text.end(), ':', ' ');
  std::istringstream in(text);
  std::vector<std::int64_t> numbers(3);
  for (std::int64_t& number : numbers) in >> number;
  return numbers;
}

TEST(Import, StringsOfPublicConfigurations) {
  ASSERT_GE(examples().size(), 50u);
  for (const auto& [text, beyond] : examples()) {
    const std::string what = refusal(text);
    if (!beyond.empty()) {
      EXPECT_THAT(what, testing::StartsWith(std::string(text) + ": no such cache is built: ")) << text;
      for (const std::string& part : beyond)
        EXPECT_THAT(what, testing::HasSubstr(part + " must be ")) << text;
      EXPECT_EQ(std::ranges::count(what, ';') + 1, std::ssize(beyond)) << what;
      continue;
    }
    ASSERT_EQ(what, "") << text;
    const gen::Config config = gen::parse_config(gen::toml_of_gpgpusim(text), "file");
    const auto& p = config.get<hw::L1dParams>();
    EXPECT_EQ(geometry_of(text), (std::vector<std::int64_t>{hw::sets_of(p), p.line_bytes, p.ways})) << text;
    EXPECT_EQ(p.tags == hw::TagKind::sectored, text[0] == 'S') << text;
  }
}

TEST(Import, EveryPartBeyondIsNamedAtOnce) {
  EXPECT_EQ(
      refusal("S:1:128:512,L:L:m:N:L,A:256:8,16:0,32"),
      "S:1:128:512,L:L:m:N:L,A:256:8,16:0,32: no such cache is built: the number of sets 1 at character "
      "3 must be a power of two from 2 to 65536; the associativity 512 at character 9 must be from 1 to "
      "16; the number of MSHRs 256 at character 25 must be from 1 to 128");
}

}  // namespace
