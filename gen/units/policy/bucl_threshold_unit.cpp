// BUCL's update unit (BUCL, section 4).
#include "hw/policy/bucl_threshold_unit.h"
#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/bucl_keys.h"
#include "gen/units/l1d/l1d_unit.h"
#include "hw/policy/bucl_profile.h"
#include "hw/policy/bucl_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

Unit elaborated(const hw::BuclParams& p, const std::string& top) {
  Unit unit{.top = hw::bucl_threshold_unit(p, top), .latency = 1, .accounts = storage_accounts(p)};
  unit.facts = {{"all_bits", published_bits(unit.accounts)}};
  return unit;
}

CosimMain cosim(const hw::BuclParams& p) {
  return cycle_bench("units/bucl_threshold_cosim.h", "BuclThresholdBench", "BuclParams", p, 300'000,
                     port_list(hw::bucl_threshold_unit(p, "unit")), true);
}

}  // namespace

std::vector<StorageAccount> storage_accounts(const hw::BuclParams& p) {
  const int count = hw::bits_up_to(p.period), sm = hw::bits_to_number(p.sms);
  const auto account = [](const char* name, int entries, std::vector<std::pair<std::string, int>> fields) {
    std::erase_if(fields, [](const auto& field) { return field.second == 0; });
    return StorageAccount{name, entries, std::move(fields), true};
  };
  std::vector<StorageAccount> accounts{
      account("period, once a GPU", 1,
              {{"cycle", hw::bits_to_number(p.period)}, {"hits", count}, {"accesses", count}}),
      account("use of buffers, once a GPU", p.sub_partitions,
              {{"sum", hw::bits_up_to(std::int64_t{p.buffer_entries} * p.period)}, {"free", 1}}),
      account("what loads compare with, once a GPU", 1, {{"hit_rate_low", 1}, {"tucd", hw::tucd_bits(p)}})};
  if (p.period > 1) {
    const int weighed = hw::bits_up_to(std::int64_t{p.hit_rate[1]} * p.period) + 1;
    accounts.push_back({"comparison of the hit rate under way", 1, {{"weighed", weighed}, {"load", 2}}});
  }
  if (!hw::profiles(p)) return accounts;
  accounts.push_back(account("lanes that an SM issues, once a GPU", p.sms, {{"ran", hw::ran_bits(p)}}));
  accounts.push_back(account("profile, once a GPU", 1,
                             {{"cycle", hw::bits_to_number(p.profile_cycles)},
                              {"most lanes", hw::ran_bits(p)},
                              {"SM", sm},
                              {"winner", sm},
                              {"phase", 2}}));
  return accounts;
}

std::vector<StorageAccount> bucl_accounts(const hw::L1dParams& p) {
  std::vector<StorageAccount> accounts{
      {"bypass of un-coalesced loads", p.bypass.sources, {{"held decision", 1}}}};
  if (!hw::has_own_unit(p.bypass)) return accounts;
  for (StorageAccount own : storage_accounts(p.bypass.bucl)) {
    own.published = false;
    accounts.push_back(std::move(own));
  }
  return accounts;
}

namespace {

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::BuclParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --random");
  return table;
}

using hw::BuclParams;

const char *const section = "BUCL, section 4", *const set_up = "BUCL, Table II";

// One key after the other, for a struct in which `access` finds the parameters.
template <class P, class Access>
class Table {
 public:
  Table(Access access, std::pair<std::string, std::vector<std::string>> only_with)
      : access_(access), only_with_(std::move(only_with)) {}

  template <class Member>
  void add(KeyInfo info, Member member) {
    complete(info);
    keys.push_back(field<P>(std::move(info), of(member)));
  }
  template <class Member>
  void add_list(KeyInfo info, Member member) {
    info.type = KeyType::integers;
    complete(info);
    keys.push_back(integers<P>(std::move(info), of(member)));
  }
  template <class Member>
  void add_profile(KeyInfo info, Member member) {
    info.only_with = {"bypass.bucl.update", {"profile"}};
    add(std::move(info), member);
  }

  std::vector<Key> keys = {};

 private:
  template <class Member>
  auto of(Member member) const {
    return [ access = access_, member ](auto& p) -> auto& { return access(p).*member; };
  }
  void complete(KeyInfo& info) const {
    info.key = "bypass.bucl." + info.key;
    if (info.source.empty()) info.source = set_up;
    if (info.only_with.first.empty()) info.only_with = only_with_;
  }

  const Access access_;
  const std::pair<std::string, std::vector<std::string>> only_with_;
};

KeyInfo fraction(const char* key, const char* meaning, const char* suffix) {
  return {.key = key,
          .range = hw::BuclRanges::term,
          .max_items = 2,
          .unit = "[numerator, denominator]",
          .meaning = meaning,
          .suffix = suffix};
}

template <class T>
void add_update(T& table) {
  table.add({.key = "update",
             .type = KeyType::choice,
             .choices = {"dynamic", "profile"},
             .meaning = "How TUCD, the threshold of the un-coalescing degree, is found: a step each period "
                        "(BUCL-Dyn), or at a kernel's start from SMs with different ones (BUCL-Prf).",
             .source = section,
             .suffix = ""},
            &BuclParams::update);
  table.add({.key = "period",
             .range = hw::BuclRanges::period,
             .unit = "cycles",
             .meaning = "Sampling period of hit rate and buffer use.",
             .suffix = "bucl_period"},
            &BuclParams::period);
  table.add_list(
      fraction("hit_rate",
               "L1DHR-threshold: above it TUCD rises, else falls; below it stalled loads may bypass.",
               "hits"),
      &BuclParams::hit_rate);
  table.add_list(
      fraction("buffer_use",
               "UIB-threshold: a sub-partition whose input buffer was used less takes stalled loads.", "use"),
      &BuclParams::buffer_use);
}

template <class T>
void add_thresholds(T& table) {
  const auto add = [&](const char* key, const char* meaning, int BuclParams::*member) {
    table.add({.key = key,
               .range = hw::BuclRanges::threshold,
               .depends = true,
               .unit = "requests",
               .meaning = meaning,
               .suffix = key},
              member);
  };
  add("initial", "TUCD after reset and at a kernel's start, from lowest to highest.", &BuclParams::initial);
  add("lowest", "Least TUCD, at most highest.", &BuclParams::lowest);
  add("highest", "Greatest TUCD; loads of more requests always bypass.", &BuclParams::highest);
}

template <class T>
void add_memory(T& table) {
  table.add({.key = "sub_partitions",
             .range = hw::BuclRanges::sub_partitions,
             .unit = "sub-partitions",
             .meaning = "Sub-partitions of the memory; that of address A is (A >> 8) modulo their number.",
             .source = section,
             .suffix = "parts"},
            &BuclParams::sub_partitions);
  table.add({.key = "buffer_entries",
             .range = hw::BuclRanges::buffer_entries,
             .unit = "entries",
             .meaning = "Entries of a sub-partition's input buffer.",
             .source = "GPGPU-Sim's GTX480",
             .suffix = "entries"},
            &BuclParams::buffer_entries);
}

template <class T>
void add_sms(T& table) {
  table.add({.key = "sms",
             .range = hw::BuclRanges::sms,
             .unit = "SMs",
             .meaning = "SMs of the GPU; in a run of several SMs as many as --sms says.",
             .suffix = "sms"},
            &BuclParams::sms);
  table.add({.key = "designated_sm",
             .range = hw::BuclRanges::designated_sm,
             .depends = true,
             .unit = "SM",
             .meaning = "Whose L1 is watched, below sms.",
             .source = section,
             .suffix = "sm"},
            &BuclParams::designated_sm);
  table.add_profile({.key = "profile_cycles",
                     .range = hw::BuclRanges::profile_cycles,
                     .unit = "cycles",
                     .meaning = "Cycles from a kernel's start in which the SMs are compared.",
                     .suffix = "profile_cycles"},
                    &BuclParams::profile_cycles);
  table.add_list(
      {.key = "thresholds",
       .range = hw::BuclRanges::threshold,
       .max_items = hw::Thresholds::most,
       .unit = "requests",
       .meaning = "What SM 0, 1 .. compare with while profiling; behind the last the first follows.",
       .suffix = "thresholds",
       .only_with = {"bypass.bucl.update", {"profile"}}},
      &BuclParams::thresholds);
  table.add_profile({.key = "issue_max",
                     .range = hw::BuclRanges::issue_max,
                     .unit = "lanes",
                     .meaning = "Lanes of the warp instructions that an SM issues in a cycle, at most.",
                     .source = "this generator's ports",
                     .suffix = "issue"},
                    &BuclParams::issue_max);
}

template <class T>
void add_common(T& table) {
  add_update(table);
  add_thresholds(table);
  add_memory(table);
  add_sms(table);
}

std::vector<Key> unit_keys() {
  Table<BuclParams, decltype([](auto& p) -> auto& { return p; })> table({}, {});
  add_common(table);
  return table.keys;
}

}  // namespace

std::vector<Key> bucl_keys_of_l1d() {
  const std::pair<std::string, std::vector<std::string>> with{"bypass.kind", {"bucl"}};
  Table<hw::L1dParams, decltype([](auto& p) -> auto& { return p.bypass; })> policy({}, with);
  policy.add({.key = "follow",
              .type = KeyType::boolean,
              .meaning = "Inputs tucd, hit_rate_low and buffer_free instead of an own update unit.",
              .source = "this generator's ports",
              .suffix = "follow_bucl"},
             &hw::BypassParams::follow);
  Table<hw::L1dParams, decltype([](auto& p) -> auto& { return p.bypass.bucl; })> table({}, with);
  table.keys = std::move(policy.keys);
  add_common(table);
  return table.keys;
}

namespace {

const Family& family() {
  static const Family family{
      .name = "update unit of BUCL",
      .doc = "watches an L1, the memory's buffers and the SMs, and says which loads bypass",
      .defaults = BuclParams{},
      .unit = kind,
      .keys = unit_keys()};
  return family;
}

}  // namespace

std::vector<Preset> bucl_threshold_unit() {
  return {{.place = 210,
           .name = "bucl_threshold_unit",
           .family = &family(),
           .doc = "threshold of the un-coalescing degree, hit rate and buffer use of the bypass for "
                  "un-coalesced loads",
           .source = "BUCL, section 4"},
          {.place = 100,
           .name = "l1d_bucl",
           .family = &l1d_family(),
           .doc = "loads of more requests than a threshold go past the cache, and stalled ones while few "
                  "loads hit",
           .source = "BUCL, section 4",
           .overrides = {{"index.kind", std::string("rxi")}, {"bypass.kind", std::string("bucl")}}}};
}

}  // namespace gen
