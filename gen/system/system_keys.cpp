// The keys of `[system]`.
#include "gen/system/system_config.h"

namespace gen {

namespace {

using golden::SystemParams;

template <class Access>
SystemKey key(KeyInfo info, Access access) {
  using Field = std::remove_cvref_t<std::invoke_result_t<Access, SystemValues&>>;
  info.key = "system." + info.key;
  SystemKey key{std::move(info)};
  key.get = [access, choices = key.choices](const SystemValues& values) -> Value {
    const Field field = std::invoke(access, const_cast<SystemValues&>(values));
    if constexpr (std::is_enum_v<Field>)
      return choices.at(static_cast<std::size_t>(field));
    else if constexpr (std::is_same_v<Field, bool>)
      return field;
    else
      return static_cast<std::int64_t>(field);
  };
  key.set = [access, choices = key.choices](SystemValues& values, const Value& value) {
    Field& field = std::invoke(access, values);
    if constexpr (std::is_enum_v<Field>) {
      for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i] == std::get<std::string>(value)) field = static_cast<Field>(i);
    } else if constexpr (std::is_same_v<Field, bool>) {
      field = std::get<Field>(value);
    } else {
      field = static_cast<Field>(std::get<std::int64_t>(value));
    }
  };
  return key;
}

struct Keys {
  std::vector<SystemKey> all;

  template <class Access>
  void number(const char* name, int min, int max, const char* unit, const char* meaning, Access access) {
    all.push_back(key({.key = name, .range = {min, max}, .unit = unit, .meaning = meaning}, access));
  }
  template <class Access>
  void flag(const char* name, const char* meaning, Access access) {
    all.push_back(key({.key = name, .type = KeyType::boolean, .meaning = meaning}, access));
  }
  template <class Access>
  void choice(const char* name, std::vector<std::string> choices, const char* meaning, Access access) {
    all.push_back(key(
        {.key = name, .type = KeyType::choice, .choices = std::move(choices), .meaning = meaning}, access));
  }
};

void add_cores(Keys& keys) {
  keys.number("sms", 1, 128, "", "Cores, each with an L1.", &SystemParams::sms);
  keys.number("core_clock", 1, 10000, "MHz", "Clock of cores and L1s.", &SystemParams::core_clock);
  keys.number("schedulers", 1, 4, "",
              "Warp schedulers of a core; slot w belongs to scheduler w mod their number.",
              &SystemParams::schedulers);
  keys.choice("scheduler", {"gto", "lrr", "two-level"}, "Their policy.", &SystemParams::scheduler);
  keys.number("warps", 1, 64, "", "Warps that a core holds.", &SystemParams::warps);
  keys.number("threads", 32, 2048, "", "Threads that a core holds.", &SystemParams::threads);
  keys.number("ctas", 1, 64, "", "CTAs that a core holds.", &SystemParams::ctas);
  keys.number("registers", 1024, 1 << 20, "", "Registers of a core.", &SystemParams::registers);
  keys.number("shared_bytes", 0, 1 << 20, "bytes", "Shared memory of a core.", &SystemParams::shared_bytes);
  keys.number("registers_per_thread", 0, 255, "", "Registers of a thread; 0: what the trace says.",
              &SystemParams::registers_per_thread);
  keys.choice("cta_order", {"turn", "blocks"},
              "CTAs go to the cores in turn, or a run of neighbours to each core.", &SystemParams::cta_order);
  keys.number("launch_latency", 0, 100000, "core cycles", "Before the first CTA of each kernel.",
              &SystemParams::launch_latency);
}

void add_issue(Keys& keys) {
  keys.number(
      "alu_interval", 1, 200, "core cycles",
      "From an instruction that is no memory access to its warp's next, where registers are not known.",
      &SystemParams::alu_interval);
  keys.number("unit_interval", 1, 32, "core cycles",
              "Between two instructions on one unit of a scheduler, where registers are known.",
              &SystemParams::unit_interval);
  keys.number("lsu_queue", 1, 64, "instructions", "Entries of the load-store unit's queue.",
              &SystemParams::lsu_queue);
  keys.number("loads_in_flight", 1, 64, "",
              "Loads of a warp without an answer, where registers are not known.",
              &SystemParams::loads_in_flight);
  const auto result = [&](const char* name, const char* meaning, int golden::ResultLatency::*member) {
    keys.number(name, 1, 100, "core cycles", meaning,
                [member](SystemValues& v) -> int& { return v.result.*member; });
  };
  using golden::ResultLatency;
  result("int_latency", "To the result of an integer instruction, where registers are known.",
         &ResultLatency::integer);
  result("fp_latency", "The same, single precision.", &ResultLatency::fp);
  result("sfu_latency", "The same, special functions.", &ResultLatency::sfu);
  result("dp_latency", "The same, double precision.", &ResultLatency::dp);
  result("shared_latency", "The same, from shared memory.", &ResultLatency::shared);
  result("branch_latency", "The same, of branches.", &ResultLatency::branch);
  keys.number("pipeline_latency", 0, 100, "core cycles", "Beside each of these: operands and write-back.",
              [](SystemValues& v) -> int& { return v.result.pipeline; });
  keys.number("l1_hit_latency", 0, 100, "core cycles",
              "From an accepted load to its hit's answer; 0: the cache's own.",
              &SystemParams::l1_hit_latency);
  keys.number("l1_queue_latency", 0, 100, "core cycles", "In front of the lookup, of every request.",
              &SystemParams::l1_queue_latency);
}

void add_network(Keys& keys) {
  keys.number("network_clock", 1, 10000, "MHz", "Clock of networks and L2.", &SystemParams::network_clock);
  keys.number("flit_bytes", 8, 256, "bytes", "That a port moves in a network cycle.",
              [](SystemValues& v) -> int& { return v.network.flit_bytes; });
  keys.number("network_queue", 1, 512, "packets", "At each end of a port.",
              [](SystemValues& v) -> int& { return v.network.queue; });
  keys.flag("whole_packets", "A packet takes its ports for one cycle, however long it is.",
            [](SystemValues& v) -> bool& { return v.network.whole_packets; });
  keys.choice("memory", {"dram", "two_nodes"},
              "L2 and DRAM of these keys, or the memory of two nodes of docs/explore.md.",
              &SystemValues::memory);
}

void add_l2(Keys& keys) {
  using golden::L2Params;
  const auto l2 = [](auto member) {
    return [member](SystemValues & v) -> auto& { return v.l2.*member; };
  };
  keys.number("l2_slices", 1, 128, "", "Each has blocks of 256 bytes.", l2(&L2Params::slices));
  keys.choice("l2_slice", {"modulo", "pli"},
              "Slice of a block: its number modulo that of slices, or its remainder by a polynomial.",
              l2(&L2Params::choice));
  keys.number("l2_sets", 2, 4096, "", "Of a slice, of 128-byte lines; a power of two.", l2(&L2Params::sets));
  keys.all.back().range.power_of_two = true;
  keys.number("l2_ways", 1, 64, "", "Of a set.", l2(&L2Params::ways));
  keys.number("l2_mshrs", 1, 1024, "", "Of a slice.", l2(&L2Params::mshrs));
  keys.number("l2_merges", 1, 64, "", "Requests that an MSHR holds.", l2(&L2Params::merges));
  keys.number("l2_latency", 0, 1000, "core cycles", "From a slice's input to its lookup.",
              l2(&L2Params::latency));
  keys.choice("l2_index", {"cvi", "bxi", "rxi", "pli", "pri"}, "Set of a line of a slice.",
              l2(&L2Params::index));
  keys.flag("l2_flush", "Between kernels.", l2(&L2Params::flush));
  keys.flag("l2_split_sectors", "Requests of several sectors are served and answered one by one.",
            l2(&L2Params::split_sectors));
}

void add_dram(Keys& keys) {
  using golden::DramParams;
  using golden::DramTiming;
  const auto dram = [](auto member) {
    return [member](SystemValues & v) -> auto& { return v.dram.*member; };
  };
  keys.number("memory_clock", 1, 10000, "MHz", "Clock of DRAM commands.", &SystemParams::memory_clock);
  keys.number("dram_channels", 1, 128, "", "Each has an equal run of the L2's slices.",
              dram(&DramParams::channels));
  keys.number("dram_banks", 1, 64, "", "Of a channel.", dram(&DramParams::banks));
  keys.number("dram_groups", 1, 16, "", "That the banks are in.", dram(&DramParams::bank_groups));
  keys.number("dram_row_bytes", 64, 65536, "bytes", "Of a row of a bank.", dram(&DramParams::row_bytes));
  keys.all.back().range.power_of_two = true;
  keys.number("dram_bytes", 1, 64, "bytes", "That a channel's bus moves in a command cycle.",
              dram(&DramParams::bytes_per_command));
  keys.number("dram_queue", 4, 1024, "requests", "Of lines that a channel holds, reads and writes each.",
              dram(&DramParams::queue));
  keys.number("dram_age", 1, 1000000, "command cycles", "After which an entry goes before row hits.",
              dram(&DramParams::age));
  keys.number("dram_latency", 0, 2000, "core cycles", "From the last data to the L2.",
              dram(&DramParams::latency));
  const auto timing = [&](const char* name, const char* meaning, int DramTiming::*member) {
    keys.number(name, 0, 200, "command cycles", meaning,
                [member](SystemValues& v) -> int& { return v.dram.timing.*member; });
  };
  timing("trcd", "Activate to column access.", &DramTiming::rcd);
  timing("tras", "Activate to precharge.", &DramTiming::ras);
  timing("trp", "Precharge to activate.", &DramTiming::rp);
  timing("trc", "Activate to activate of a bank.", &DramTiming::rc);
  timing("trrd", "Activate to activate of two banks.", &DramTiming::rrd);
  timing("tcl", "Read to its data.", &DramTiming::cl);
  timing("twl", "Write to its data.", &DramTiming::wl);
  timing("tccd", "Column access to column access.", &DramTiming::ccd);
  timing("tccdl", "The same inside a bank group.", &DramTiming::ccdl);
  timing("twr", "A write's last data to precharge.", &DramTiming::wr);
  timing("tcdlr", "A write's last data to read.", &DramTiming::cdlr);
  timing("trtp", "Read to precharge.", &DramTiming::rtp);
}

}  // namespace

const std::vector<SystemKey>& system_keys() {
  static const std::vector<SystemKey> all = [] {
    Keys keys;
    add_cores(keys);
    add_issue(keys);
    add_network(keys);
    add_l2(keys);
    add_dram(keys);
    return std::move(keys.all);
  }();
  return all;
}

}  // namespace gen
