#include "gen/gpgpusim.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <map>
#include <vector>

#include "gen/config/catalogue.h"
#include "gen/config/config.h"
#include "gen/config/text.h"
#include "hw/l1d/l1d_ranges.h"

namespace gen {
namespace {

struct Field {
  std::string text;
  std::size_t column;
};

// One string, taken apart at its commas and colons, and what it comes to.
class CacheString {
 public:
  CacheString(const std::string& text, int banks) : text_(text), banks_(banks) { split(); }

  std::string toml() {
    read_geometry();
    read_policies();
    read_mshrs();
    read_queues();
    check_built();
    check_banks();
    std::string out =
        fmt::format("# From the cache string {} of GPGPU-Sim.\npreset = \"{}\"\n", text_, preset_);
    out += fmt::format("\n[geometry]\nline_bytes = {}\ncapacity_bytes = {}\nways = {}\n", line_,
                       sets_ * line_ * ways_, ways_);
    out += fmt::format("\n[index]\nkind = \"{}\"\n", index_);
    const bool sectored = banks_ > 1 && sectored_;
    if (sectored || !store_policy_.empty()) out += "\n[tags]\n";
    if (sectored) out += "kind = \"sectored\"\n";
    if (!store_policy_.empty()) out += fmt::format("store_policy = \"{}\"\n", store_policy_);
    out += fmt::format("\n[mshr]\nentries = {}\nmerges = {}\nmiss_queue = {}\n", entries_, merges_, queue_);
    // As many loads as may wait have a number each; the presets have eight bits for it.
    const auto loads = static_cast<std::uint64_t>(entries_ * merges_);
    const bool numbered = std::bit_width(loads - 1) > 8;
    if (numbered || banks_ > 1) out += "\n[core]\n";
    if (banks_ > 1) out += fmt::format("banks = {}\n", banks_);
    if (numbered) out += fmt::format("id_bits = {}\n", static_cast<int>(std::bit_width(loads - 1)));
    if (!of_models().empty())
      out += fmt::format("\n# Of models alone, which explore runs: {}.\n", of_models());
    if (!lost_.empty()) out += "\n# Not carried over:\n";
    for (const std::string& what : lost_) out += "# - " + what + "\n";
    return out;
  }

 private:
  [[noreturn]] void refuse(std::size_t column, const std::string& what) const {
    throw ConfigError(
        text_,
        fmt::format("at character {}: {}; such a string is S:64:128:6,L:L:m:N:L,A:128:8,8", column, what));
  }

  // All parts of the string beyond what is built, at once.
  void check_built() const {
    std::vector<std::string> beyond;
    for (const Part& part : parts_) {
      const Key& key = *preset_named(preset_).family->find(part.key);
      if (!in_range(key, part.value))
        beyond.push_back(fmt::format("{} {} at character {} must be {}", part.what, part.value, part.column,
                                     range_text(key)));
    }
    if (!beyond.empty()) throw ConfigError(text_, "no such cache is built: " + joined(beyond, "; "));
  }

  // What is dealt out to the banks, in parts of the string; all at once, too.
  void check_banks() const {
    std::vector<std::string> uneven;
    for (const Part& part : parts_) {
      const bool dealt = part.key == std::string_view("index.sets") ||
                         part.key == std::string_view("mshr.entries") ||
                         part.key == std::string_view("mshr.miss_queue");
      if (dealt && part.value % banks_ != 0)
        uneven.push_back(fmt::format("{} {} at character {} must be a multiple of {}", part.what, part.value,
                                     part.column, banks_));
    }
    if (!uneven.empty())
      throw ConfigError(text_,
                        fmt::format("no such cache is built in {} banks: {}", banks_, joined(uneven, "; ")));
  }

  // What hardware has not.
  std::string of_models() const {
    if (banks_ > 1 && sets_ / banks_ < hw::least_built_sets)
      return fmt::format("banks of one set, and hardware has at least {}", hw::least_built_sets);
    if (sets_ < hw::least_built_sets)
      return fmt::format("one set, and hardware has at least {}", hw::least_built_sets);
    return ways_ > hw::most_built_ways
               ? fmt::format("{} ways, and hardware has at most {}", ways_, hw::most_built_ways)
               : "";
  }

  void split() {
    groups_.emplace_back();
    std::string part;
    std::size_t column = 1;
    const auto end_part = [&](std::size_t at) {
      groups_.back().push_back({part, at - part.size()});
      part.clear();
    };
    for (const char c : text_) {
      if (c == ':' || c == ',')
        end_part(column);
      else
        part += c;
      if (c == ',') groups_.emplace_back();
      ++column;
    }
    end_part(column);
    if (groups_.size() < 4 || groups_.size() > 5)
      refuse(text_.size(), fmt::format("ends with {} of the 4 or 5 parts between commas", groups_.size()));
  }

  const std::vector<Field>& group(std::size_t number, std::size_t least, std::size_t most, const char* what) {
    const std::vector<Field>& fields = groups_[number];
    if (fields.size() < least || fields.size() > most)
      refuse(fields[0].column,
             fmt::format("{} has {} fields, must have {}", what, fields.size(),
                         least == most ? std::to_string(most) : fmt::format("{} to {}", least, most)));
    return fields;
  }

  std::int64_t number(const Field& field, const char* what) const {
    std::int64_t value = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto [stopped, error] = std::from_chars(field.text.data(), end, value);
    if (field.text.empty() || error != std::errc() || stopped != end || value < 0 || value > 1 << 24)
      refuse(field.column, fmt::format("{} is \"{}\", must be a number", what, field.text));
    return value;
  }

  // The same of a number that becomes a key.
  std::int64_t number_of(const char* key, const Field& field, const char* what) {
    parts_.push_back({key, what, number(field, what), field.column});
    return parts_.back().value;
  }

  // What a letter stands for; an empty text for what has no counterpart, which is named with its meaning.
  struct Meaning {
    std::string ours, lost;
  };
  std::string letter(const Field& field, const char* what, const std::map<std::string, Meaning>& meanings) {
    const auto found = meanings.find(field.text);
    if (found == meanings.end())
      refuse(field.column, fmt::format("{} is \"{}\", which is no letter for it", what, field.text));
    if (!found->second.lost.empty()) lost_.push_back(found->second.lost);
    return found->second.ours;
  }

  void read_geometry() {
    std::vector<Field> fields = group(0, 3, 4, "the geometry");
    preset_ = "l1d";
    if (fields.size() == 4) {
      preset_ = letter(fields[0], "the type", {{"N", {"l1d", ""}}, {"S", {"l1d_sectored", ""}}});
      sectored_ = preset_ != "l1d";
      fields.erase(fields.begin());
    }
    if (banks_ > 1) preset_ = "l1d_banks";
    sets_ = number_of("index.sets", fields[0], "the number of sets");
    line_ = number_of("geometry.line_bytes", fields[1], "the line size");
    ways_ = number_of("geometry.ways", fields[2], "the associativity");
    parts_.push_back({"geometry.capacity_bytes", "the size of sets, lines and ways", sets_ * line_ * ways_,
                      fields[0].column});
  }

  void read_policies() {
    const std::vector<Field>& fields = group(1, 4, 5, "the policies");
    letter(fields[0], "replacement",
           {{"L", {}}, {"F", {"", "replacement F (first in, first out): LRU instead"}}});
    store_policy_ = letter(
        fields[1], "the write policy",
        {{"E", {}},
         {"L",
          {"", "write policy L: stores evict their line here as there, local memory is not written back"}},
         {"T", {"update", ""}},
         {"B", {"", "write policy B (write-back): a store evicts its line and goes on"}},
         {"R", {"", "write policy R (read only): stores are served"}}});
    letter(fields[2], "allocation",
           {{"m", {}},
            {"f", {"", "allocation f (on fill): lines are reserved on a miss"}},
            {"s", {"", "allocation s (streaming): lines are reserved on a miss"}}});
    letter(fields[3], "write allocation",
           {{"N", {}},
            {"W", {"", "write allocation W: a store that misses allocates no line"}},
            {"F", {"", "write allocation F (fetch on write): a store that misses allocates no line"}},
            {"L", {"", "write allocation L (lazy fetch on read): a store that misses allocates no line"}}});
    index_ = "cvi";
    if (fields.size() == 5)
      index_ = letter(fields[4], "the set index",
                      {{"L", {"cvi", ""}},
                       {"X", {"bxi", ""}},
                       {"P", {"pli", "set index P: polynomial as here, by another polynomial"}},
                       {"H", {"bxi", "set index H (Fermi's hash): a bitwise XOR instead"}},
                       {"C", {"cvi", "set index C (one's own): the low bits instead"}}});
    if (sets_ == banks_) index_ = "cvi";  // any function: there is nothing to choose in a bank
  }

  void read_mshrs() {
    const std::vector<Field>& fields = group(2, 3, 3, "the MSHRs");
    letter(fields[0], "the kind of MSHRs",
           {{"A", {}},
            {"S", {}},
            {"F", {"", "MSHRs F (a FIFO of a texture cache): associative ones instead"}},
            {"T", {"", "MSHRs T (a FIFO of a sectored texture cache): associative ones instead"}}});
    entries_ = number_of("mshr.entries", fields[1], "the number of MSHRs");
    merges_ = number_of("mshr.merges", fields[2], "the loads that merge into one");
  }

  void read_queues() {
    const std::vector<Field>& fields = group(3, 1, 2, "the miss queue");
    queue_ = number_of("mshr.miss_queue", fields[0], "the miss queue");
    if (fields.size() == 2 && number(fields[1], "the result FIFO") > 0)
      lost_.push_back("the result FIFO of a texture cache");
    if (groups_.size() == 5) {
      const std::int64_t port = number(group(4, 1, 1, "the data port")[0], "the data port");
      if (port > 0 && port != line_)
        lost_.push_back(fmt::format("a data port of {} bytes: a line is read in one cycle", port));
    }
  }

  struct Part {
    const char *key, *what;
    std::int64_t value;
    std::size_t column;
  };

  std::string text_;
  const int banks_;
  bool sectored_ = false;
  std::vector<std::vector<Field>> groups_ = {};
  std::vector<Part> parts_ = {};  // numbers of the string that become keys
  std::vector<std::string> lost_ = {};
  std::string preset_ = {}, index_ = {}, store_policy_ = {};
  std::int64_t sets_ = 0, line_ = 0, ways_ = 0, entries_ = 0, merges_ = 0, queue_ = 0;
};

}  // namespace

std::string toml_of_gpgpusim(const std::string& text, int banks) {
  const std::string toml = CacheString(text, banks).toml();
  try {
    parse_config(toml, "line");
  } catch (const ConfigError& error) {
    throw ConfigError(text, fmt::format("no such cache is built: of its file {}", error.what()));
  }
  return toml;
}

}  // namespace gen
