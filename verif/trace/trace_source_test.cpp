// Traces of every format behind one interface: found by content, kernel lists, launches, long files.
#include "golden/trace/trace_source.h"
#include "golden/trace/open/open_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/trace/traceg_text.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre;
using verif::barrier;
using verif::bytes;
using verif::load;
using verif::read_source;
using verif::traceg;
using verif::xz;

class TraceSourceTest : public testing::Test {
 protected:
  std::string error(const std::string& path) { return read_source(path).error; }
  verif::TempFolder folder_;
};

const std::string one_load = traceg({"0 1 1 R1 LDG.E 1 R2 4 2 0x80 0"});
const std::string one_store = traceg({"0 1 0 STG.E 2 R1 R2 4 2 0x90 0"});

TEST_F(TraceSourceTest, FormatsAreRecognisedByContent) {
  folder_.write("kernel-1.traceg", one_load);
  for (const char* name : {"a.rec", "kernelslist.g", "b"}) {
    EXPECT_THAT(verif::texts(read_source(folder_.write(name, one_load)).records),
                ElementsAre("load 4 00000001: 80"));
    EXPECT_THAT(verif::texts(read_source(folder_.write(name, xz(one_load))).records),
                ElementsAre("load 4 00000001: 80"));
    EXPECT_THAT(verif::texts(read_source(folder_.write(name, bytes(load(0, 0, {4, 8})))).records),
                ElementsAre("load 4 00000003: 4 8"));
    for (const std::string list : {"kernel-1.traceg", "\n\nMemcpyHtoD,0x0,4\r\nkernel-1.traceg \n"}) {
      EXPECT_THAT(verif::texts(read_source(folder_.write(name, list)).records),
                  ElementsAre("load 4 00000001: 80"));
      EXPECT_THAT(verif::texts(read_source(folder_.write(name, xz(list))).records),
                  ElementsAre("load 4 00000001: 80"));
    }
  }
  folder_.write("kernelslist.g", "kernel-1.traceg\n");
  EXPECT_THAT(verif::texts(read_source(folder_.path()).records), ElementsAre("load 4 00000001: 80"));
  const auto other = folder_.write("t", "\n hello, world\n");
  EXPECT_EQ(error(other),
            other +
                ": starts with \"hello, world\": neither a .rec, a .traceg, a kernelslist.g nor "
                "a list of requests");
  for (const char* requests : {"L 80 f\n", "3 S 80 f\n"}) {
    const auto list = folder_.write("t", requests);
    EXPECT_EQ(error(list), list + ": this is a list of requests, not a trace of accesses");
  }
  const auto empty = folder_.write("t", "");
  EXPECT_EQ(error(empty), empty + ": byte 0: the trace is empty, must hold at least one record");
  EXPECT_EQ(error(folder_.path("none")), folder_.path("none") + ": cannot open: No such file or directory");
  std::filesystem::create_directory(folder_.path("sub"));
  EXPECT_EQ(error(folder_.path("sub")), folder_.path("sub") + ": this folder holds no kernelslist.g");
}

TEST_F(TraceSourceTest, KernelListsGoFromFileToFile) {
  folder_.write("kernel-1.traceg", one_load);
  folder_.write("kernel-2-ctx_0x55d0.traceg.xz", xz(one_store));
  const auto list = folder_.write("kernelslist.g",
                                  "MemcpyHtoD,0x00007efe7b500000,2052\nkernel-1.traceg\n"
                                  "MemcpyDtoH,1\n\nkernel-2-ctx_0x55d0.traceg.xz\nkernel-1.traceg\n");
  const auto content = read_source(list);
  EXPECT_EQ(content.error, "");
  EXPECT_EQ(content.kernels.size(), 3u);
  EXPECT_THAT(verif::texts(content.records),
              ElementsAre("load 4 00000001: 80", "store 4 00000001: 90", "load 4 00000001: 80"));

  // What is left of a kernel is passed over.
  const auto source = golden::open_trace(list);
  golden::KernelInfo kernel;
  golden::Record record;
  EXPECT_FALSE(source->next(record));
  EXPECT_EQ(source->fraction(), 0.0);
  EXPECT_TRUE(source->next_kernel(kernel));
  EXPECT_TRUE(source->next_kernel(kernel));
  EXPECT_TRUE(source->next(record));
  EXPECT_EQ(record.kind, golden::AccessKind::store);
  EXPECT_TRUE(source->next_kernel(kernel));
  EXPECT_FALSE(source->next_kernel(kernel));
  EXPECT_FALSE(source->next(record));
  EXPECT_EQ(source->fraction(), 1.0);
}

TEST_F(TraceSourceTest, RefusesBrokenLists) {
  const auto check = [&](const std::string& text, const std::string& reason) {
    const auto list = folder_.write("list.g", text);
    EXPECT_EQ(error(list), list + ":" + reason);
  };
  check("MemcpyHtoD,0x0\n", "1:1: \"MemcpyHtoD,0x0\" must be MemcpyHtoD,address,bytes");
  check("MemcpyHtoD,0xx,1\n",
        "1:12: destination address is \"0xx\", must be a hex number of at most 64 bits");
  check("MemcpyHtoD,0x0,\n", "1:16: the line ends before its number of bytes");
  check("kernel-1\r.traceg\n", "1:1: \"kernel-1?.traceg\" is no file name");
  check("MemcpyHtoD,0x0,1\n", "1:17: the list ends without a kernel");
  check("kernel-1.tracez\n",
        "1:1: \"kernel-1.tracez\": a binary .tracez cannot be read; write .traceg instead");
  check("\n\nkernel-7.traceg\n",
        "3:1: " + folder_.path("kernel-7.traceg") + ": cannot open: No such file or directory");
  folder_.write("kernel-8.traceg", "-x");
  folder_.write("list.g", "kernel-8.traceg\n");
  EXPECT_EQ(error(folder_.path("list.g")),
            folder_.path("kernel-8.traceg") + ":1:3: the trace ends inside its header");
}

TEST_F(TraceSourceTest, LaunchesOfARecAreKernels) {
  folder_.write("t.json", R"({"kernel": "k", "block": [64, 1, 1], "launches": [
    {"grid": [2, 1, 1], "cta_base": 0}, {"grid": [2, 2, 1], "cta_base": 10}, {"cta_base": 20}]})");
  const auto path =
      folder_.write("t.rec", bytes(load(1, 0, {4})) + bytes(barrier(1, 1)) + bytes(load(0, 0, {8})) +
                                 bytes(load(13, 1, {12})) + bytes(load(13, 0, {16})));
  const auto source = golden::open_trace(path);
  golden::KernelInfo kernel;
  golden::Record record;
  ASSERT_TRUE(source->next_kernel(kernel));
  EXPECT_EQ(kernel.name, "k");
  EXPECT_THAT(kernel.grid, ElementsAre(2, 1, 1));
  EXPECT_EQ(kernel.warps_per_cta(), 2u);
  ASSERT_TRUE(source->next(record));
  EXPECT_EQ(record.cta, 1u);
  ASSERT_TRUE(source->next_kernel(kernel));
  EXPECT_THAT(kernel.grid, ElementsAre(2, 2, 1));
  ASSERT_TRUE(source->next(record));
  EXPECT_EQ(record.cta, 3u);
  EXPECT_EQ(record.address[0], 12u);
  EXPECT_TRUE(source->next(record));
  EXPECT_FALSE(source->next(record));
  EXPECT_FALSE(source->next_kernel(kernel));

  const auto torn =
      folder_.write("t.rec", bytes(load(1, 0, {4})) + bytes(load(0, 0, {4})) + bytes(load(1, 0, {4})));
  EXPECT_EQ(error(torn), torn + ": records of cta 1 come in two places: must be one after the other");
  const auto mixed =
      folder_.write("t.rec", bytes(load(1, 0, {4})) + bytes(load(10, 0, {4})) + bytes(load(0, 0, {4})));
  EXPECT_EQ(error(mixed), mixed + ": cta 0 of launch 0 comes after the next launch has begun");
  EXPECT_EQ(read_source(verif::in_source("verif/traces/streamcluster_two_launches.rec.xz")).kernels.size(),
            2u);
}

TEST_F(TraceSourceTest, ANameMayAskForTheBeginning) {
  const auto records = [&](const std::string& name) {
    const auto content = read_source(folder_.path(name));
    return content.error.empty() ? std::to_string(content.records.size()) : content.error;
  };
  std::string trace;
  for (std::uint32_t cta = 0; cta < 3; ++cta)
    for (const std::uint16_t warp : {0, 1, 0, 1, 0}) trace += bytes(load(cta, warp, {4}));
  folder_.write("t.rec", trace);
  EXPECT_EQ(records("t.rec"), "15");
  EXPECT_EQ(records("t.rec?accesses=1"), "6");
  EXPECT_EQ(records("t.rec?accesses=2"), "12");
  EXPECT_EQ(records("t.rec?ctas=1"), "5");
  EXPECT_EQ(records("t.rec?ctas=2,accesses=2"), "8");
  EXPECT_THAT(golden::files_of_trace(folder_.path("t.rec?ctas=1")),
              ElementsAre(folder_.path("t.rec"), folder_.path("t.json")));

  const std::string name = folder_.path("t.rec?");
  EXPECT_EQ(records("t.rec?accesses=0"),
            name + "accesses=0: accesses is \"0\", must be from 1 to 1000000000000");
  EXPECT_EQ(records("t.rec?accesses=1x"),
            name + "accesses=1x: accesses is \"1x\", must be from 1 to 1000000000000");
  EXPECT_EQ(records("t.rec?ctas"), name + "ctas: ctas is \"\", must be from 1 to 4294967295");
  EXPECT_EQ(records("t.rec?warps=2"), name + "warps=2: has no size \"warps\"; its sizes are accesses, ctas");
  EXPECT_EQ(records("t.rec?"), name + ": cannot open: No such file or directory");
  EXPECT_EQ(records("u.rec?accesses=1"),
            folder_.path("u.rec?accesses=1") + ": cannot open: No such file or directory");
  folder_.write("list.req", "L 80 f\n");
  EXPECT_EQ(records("list.req?accesses=1"),
            folder_.path("list.req?accesses=1") + ": " + folder_.path("list.req") +
                " is a list of requests, which has no CTAs and cannot be cut");

  // A file may be called so.
  folder_.write("t.rec?accesses=1", trace);
  folder_.write("a?b.rec", trace);
  EXPECT_EQ(records("t.rec?accesses=1"), "15");
  EXPECT_EQ(records("a?b.rec"), "15");
  EXPECT_EQ(records("a?b.rec?accesses=1"), "6");
}

// By how many bytes the process grows while it reads a trace to its end.
long growth(const std::string& path, std::uint64_t records) {
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  const auto source = golden::open_trace(path);
  std::uint64_t seen = 0;
  for (golden::KernelInfo kernel; source->next_kernel(kernel);)
    for (golden::Record record; source->next(record);) ++seen;
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(seen, records);
  return (after.ru_maxrss - before.ru_maxrss) << 10;
}

TEST_F(TraceSourceTest, LongTracesNeedLittleMemory) {
  constexpr int blocks = 20000;  // 40 MB
  std::string list;
  for (int lane = 0; lane < 32; ++lane) list += fmt::format(" 0x{:016x}", 0x7f0000001000 + 640 * lane);
  const std::string warp = verif::traceg_warp(
      0,
      {"0000 ffffffff 1 R1 MOV 0 0 0 ", "0010 ffffffff 1 R1 LDG.E 1 R2 4 0" + list + " 0",
       "0020 ffffffff 1 R1 LDG.E 1 R2 4 0" + list + " 0", "0030 ffffffff 0 STG.E 2 R1 R2 4 0" + list + " 0"});
  const std::string head =
      "-grid dim = (20000,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n#\n";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    EXPECT_EQ(::write(ends[1], head.data(), head.size()), static_cast<ssize_t>(head.size()));
    for (int i = 0; i < blocks; ++i) {
      const std::string text = verif::traceg_block(fmt::format("{},0,0", i), warp);
      EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    ::close(ends[1]);
  });
  const long grown = growth(fmt::format("/proc/self/fd/{}", ends[0]), blocks * 3);
#ifdef __SANITIZE_ADDRESS__  // which keeps what has been freed
  EXPECT_LT(grown, 1l << 30);
#else
  EXPECT_LT(grown, 4l << 20);
#endif
  writer.join();
  ::close(ends[0]);
}

}  // namespace
