// Request lists: what is read and written, and every complaint word by word.
#include "golden/trace/request_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/trace/trace_format.h"
#include "golden/trace/trace_summary.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using golden::RequestList;
using testing::ElementsAre;

class RequestListTest : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& path, std::uint32_t cores = 0) {
    limits_.cores = cores;
    RequestList list(path, limits_);
    std::vector<std::string> out;
    for (RequestList::Item request; list.next(request);) out.push_back(golden::text(request, cores > 0));
    return out;
  }
  // What is said about a list of one good line and this one, from the column on.
  std::string error(const std::string& line, std::uint32_t cores = 0) {
    const std::string path = folder_.write("list", (cores ? "0 L 80 f\n" : "L 80 f\n") + line + "\n");
    try {
      read(path, cores);
    } catch (const golden::TraceError& e) {
      const std::string all = e.what();
      return all.starts_with(path + ":2:") ? all.substr(path.size() + 3) : "elsewhere: " + all;
    }
    return "";
  }
  verif::TempFolder folder_;
  RequestList::Limits limits_;
};

TEST_F(RequestListTest, IsReadAndWritten) {
  const std::string text = "L 10000080 f\n\n  S\t0x80 3 5\r\nA 0 1 4294967295 17\nN FFFFFF80 8 1 2 \n";
  for (const std::string& content : {text, verif::xz(text), text.substr(0, text.size() - 1)})
    EXPECT_THAT(
        read(folder_.write("list", content)),
        ElementsAre("L 10000080 f 0 0\n", "S 80 3 5 0\n", "A 0 1 4294967295 17\n", "N ffffff80 8 1 2\n"));
  EXPECT_THAT(read(folder_.write("list", "3 L 10000080 f\n0 S 80 1 7 8\n"), 4),
              ElementsAre("3 L 10000080 f 0 0\n", "0 S 80 1 7 8\n"));
  limits_ = {.line_bytes = 256, .chunk_bytes = 8, .address_bits = 64};
  EXPECT_THAT(read(folder_.write("list", "L ffffffffffffff00 ffffffff\n")),
              ElementsAre("L ffffffffffffff00 ffffffff 0 0\n"));
}

// Only lists with core numbers have flushes, also in front of the first request.
TEST_F(RequestListTest, FlushesStandOnLinesOfTheirOwn) {
  const std::string path = folder_.write("flushes", "F\n3 L 80 f\n F \n0 S 80 1 7 8\nF\n");
  EXPECT_THAT(read(path, 4), ElementsAre("F\n", "3 L 80 f 0 0\n", "F\n", "0 S 80 1 7 8\n", "F\n"));
  EXPECT_EQ(error("F 80", 1), "3: \"80\" follows a flush");
  EXPECT_THAT(error("F"), testing::StartsWith("1: kind is \"F\""));
  golden::ByteSource source(path);
  EXPECT_TRUE(golden::names_cores(source));
  limits_.cores = 4;
  RequestList list(path, limits_);
  const golden::RequestSummary summary = golden::summarize(list);
  EXPECT_EQ(summary.requests, 2u);
  EXPECT_EQ(summary.flushes, 3u);
}

// A mark opens a load of so many requests; the core's next loads are the others.
TEST_F(RequestListTest, MarksOpenLoadsAndStalls) {
  const std::string path = folder_.write(
      "list",
      "0 L 80 f d3\n1 L 80 f 7 !\n0 S 80 f\n0 L 100 f !\n1 L 0 f 1 2 ! d2\n0 L 180 f\n0 L 80 f\n1 L 80 f\n");
  limits_.cores = 2;
  RequestList list(path, limits_);
  std::vector<std::string> seen;
  for (RequestList::Item item; list.next(item);)
    seen.push_back(fmt::format("{}:{}{}{}", item.core, item.request.sideband.degree,
                               item.request.sideband.first ? "f" : "", item.request.stalls ? "!" : ""));
  EXPECT_THAT(seen, ElementsAre("0:3f", "1:1f!", "0:1f", "0:3!", "1:2f!", "0:3", "0:1f", "1:2"));
  std::string rest;
  for (int n = 0; n < 62; ++n) rest += "L 80 f\n";
  const auto lines = read(folder_.write("list", "L 80 f ! d2\nL 80 f\nL 80 3 d1\nL 80 3 4 5 d63\n" + rest));
  EXPECT_THAT(std::vector(lines.begin(), lines.begin() + 4),
              ElementsAre("L 80 f 0 0 d2 !\n", "L 80 f 0 0\n", "L 80 3 0 0\n", "L 80 3 4 5 d63\n"));
  EXPECT_EQ(lines.size(), 66u);
}

TEST_F(RequestListTest, RefusesBrokenMarks) {
  EXPECT_EQ(error("L 80 f d"), "9: the line ends before its degree");
  EXPECT_EQ(error("L 80 f d5x"), "9: degree is \"5x\", must be a decimal number of at most 32 bits");
  EXPECT_EQ(error("L 80 f 1 2 d0"), "13: degree is 0, must be 1 to 63");
  EXPECT_EQ(error("L 80 f d64"), "9: degree is 64, must be 1 to 63");
  EXPECT_EQ(error("S 80 f d2"), "9: \"d2\" opens a load, the request is none");
  EXPECT_EQ(error("L 80 f ! !"), "10: \"!\" is the second mark of its kind");
  EXPECT_EQ(error("L 80 f d2 d3"), "11: \"d3\" is the second mark of its kind");
  EXPECT_EQ(error("L 80 f ! 5"), "10: \"5\" follows the end of the request");
  EXPECT_EQ(error("L 80 f 1 2 ?"), "12: \"?\" follows the end of the request");
  EXPECT_EQ(error("L 80 f d3\nL 80 f\nL 80 f d2").substr(0, 9), "elsewhere");
  EXPECT_EQ(error("L 80 f d5"), "10: the list ends, but 4 of the 5 requests of a load have not come");
  EXPECT_EQ(error("0 L 80 f d2", 2), "12: the list ends, but 1 of the 2 requests of a load have not come");
}

TEST_F(RequestListTest, RefusesEmptyLists) {
  for (const std::string text : {"", "\n \n"}) {
    const std::string path = folder_.write("list", text);
    try {
      read(path);
      ADD_FAILURE() << "an empty list was read";
    } catch (const golden::TraceError& e) {
      EXPECT_EQ(e.what(), path + ": holds no request");
    }
  }
}

TEST_F(RequestListTest, RefusesBrokenLines) {
  EXPECT_EQ(error("X 80 f"), "1: kind is \"X\", must be L (load), S (store), A (atomic) or N (non-L1)");
  EXPECT_EQ(error("LL 80 f"), "1: kind is \"LL\", must be L (load), S (store), A (atomic) or N (non-L1)");
  EXPECT_EQ(error("L"), "2: the line ends before its address");
  EXPECT_EQ(error("L 80"), "5: the line ends before its mask");
  EXPECT_EQ(error("L 8g f"), "3: address is \"8g\", must be a hex number of at most 64 bits");
  EXPECT_EQ(error("L -80 f"), "3: address is \"-80\", must be a hex number of at most 64 bits");
  EXPECT_EQ(error("L 80 1ffffffff"), "6: mask is \"1ffffffff\", must be a hex number of at most 32 bits");
  EXPECT_EQ(error("L 80 0"), "6: mask is 0, must name at least one of the 4 chunks of a line, and no other");
  EXPECT_EQ(error("L 80 10"),
            "6: mask is 10, must name at least one of the 4 chunks of a line, and no other");
  EXPECT_EQ(error("L 81 f"), "3: address is 0x81, must be the start of a line of 128 bytes");
  EXPECT_EQ(error("L 100000000 f"), "3: address is 0x100000000, must have at most 32 bits");
  EXPECT_EQ(error("L 80 f w"), "8: warp is \"w\", must be a decimal number of at most 32 bits");
  EXPECT_EQ(error("L 80 f 1 0x2"), "10: pc is \"0x2\", must be a decimal number of at most 32 bits");
  EXPECT_EQ(error("L 80 f 1 2 3"), "12: \"3\" follows the end of the request");
  EXPECT_EQ(error("3 L 80 f"), "1: kind is \"3\", must be L (load), S (store), A (atomic) or N (non-L1)");
  EXPECT_EQ(error("L 80 f", 4), "1: core is \"L\", must be a decimal number of at most 32 bits");
  EXPECT_EQ(error("4 L 80 f", 4), "1: core is 4, must be below 4");
  EXPECT_EQ(error("\x01\x02 80 f"),
            "1: kind is \"??\", must be L (load), S (store), A (atomic) or N (non-L1)");
}

}  // namespace
