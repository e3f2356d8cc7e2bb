#include "gen/trace_profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/charts/bars.h"
#include "gen/html.h"
#include "gen/share.h"

namespace gen {
namespace {

using golden::Profile;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

// A figure under its name: a bar of a picture, an entry of the JSON.
struct Bin {
  std::string name;
  std::uint64_t count;
};
using Bins = std::vector<Bin>;

// Loads by the lines they touch, in BUCL's five groups.
Bins degrees(const Profile& p) {
  constexpr std::array<std::size_t, 6> from{1, 2, 3, 11, 21, ~std::size_t{0}};
  static constexpr const char* names[] = {"1", "2", "3 to 10", "11 to 20", "21 and more"};
  Bins bins;
  for (std::size_t group = 0; group + 1 < from.size(); ++group) {
    std::uint64_t loads = 0;
    for (std::size_t degree = from[group]; degree < std::min(from[group + 1], p.degrees.size()); ++degree)
      loads += p.degrees[degree];
    bins.push_back({names[group], loads});
  }
  return bins;
}

// Bin b > 0 holds 2^(b-1) to 2^b - 1.
Bins distances(const Profile& p) {
  Bins bins;
  std::uint64_t again = 0;
  for (std::size_t b = 0; b < p.distances.size(); ++b) {
    const std::uint64_t low = b == 0 ? 0 : std::uint64_t{1} << (b - 1), high = b == 0 ? 0 : 2 * low - 1;
    bins.push_back(
        {low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high), p.distances[b]});
    again += p.distances[b];
  }
  bins.push_back({"first touch", p.requests - again});
  return bins;
}

// Bin b > 0 holds 2^(b-1) + 1 to 2^b.
Bins cta_distances(const Profile& p) {
  Bins bins;
  for (std::size_t b = 0; b < p.cta_distances.size(); ++b) {
    const std::uint64_t high = std::uint64_t{1} << b, low = b == 0 ? 1 : high / 2 + 1;
    bins.push_back(
        {low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high), p.cta_distances[b]});
  }
  return bins;
}

Bins locality(const Profile& p) {
  static constexpr const char* names[] = {"the same warp", "another warp of the CTA", "another CTA of the SM",
                                          "another SM", "nobody"};
  Bins bins;
  for (std::size_t i = 0; i < p.locality.size(); ++i) bins.push_back({names[i], p.locality[i]});
  return bins;
}

Bins quarters(const std::array<std::uint64_t, 5>& counts) {
  Bins bins;
  for (std::size_t n = 0; n < counts.size(); ++n) bins.push_back({fmt::format("{} of 4", n), counts[n]});
  return bins;
}

Bins lines_by_requests(const Profile& p) {
  static constexpr const char* names[] = {"1", "2", "3", "4 and more"};
  Bins bins;
  for (std::size_t i = 0; i < p.lines_by_requests.size(); ++i)
    bins.push_back({names[i], p.lines_by_requests[i]});
  return bins;
}

struct Capacity {
  std::uint64_t bytes;
  double miss_rate;
};

// From 64 lines on, until every line that is touched again is found.
std::vector<Capacity> working_set(const Profile& p) {
  std::vector<Capacity> out;
  const std::uint64_t line = static_cast<std::uint64_t>(p.options.line_bytes);
  const std::size_t last = std::max<std::size_t>(p.distances.size(), 7);
  for (std::size_t bits = 6; bits < last + 1; ++bits) {
    const std::uint64_t bytes = line << bits;
    out.push_back({bytes, share(p.misses_at(bytes), p.requests)});
  }
  return out;
}

std::string size_text(std::uint64_t bytes) {
  return bytes < 1 << 20 ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} MiB", bytes >> 20);
}

// Shares of all.
Chart chart(const std::string& title, const Bins& bins, const char* note) {
  std::uint64_t whole = 0;
  for (const Bin& bin : bins) whole += bin.count;
  std::vector<Bar> bars;
  for (const Bin& bin : bins)
    bars.push_back({bin.name, 100 * share(bin.count, whole), percent(share(bin.count, whole))});
  return bar_chart(title, {.title = "share, %"}, bars, note);
}

std::vector<Chart> charts(const Profile& p) {
  std::vector<Chart> out;
  out.push_back(chart("Lines a load touches", degrees(p), "loads of warps, by their number"));
  out.push_back(chart("Who touched the line before", locality(p), "requests, within a kernel"));
  out.push_back(chart("Reuse distance", distances(p),
                      "requests, by the distinct lines since the last touch on the SM"));
  std::vector<Bar> capacities, functions;
  for (const Capacity& one : working_set(p))
    capacities.push_back({size_text(one.bytes), 100 * one.miss_rate, percent(one.miss_rate)});
  out.push_back(bar_chart("Working set", {.title = "miss rate, %"}, capacities,
                          "misses of a fully associative cache that replaces the line touched longest ago"));
  out.push_back(chart("Requests for a line", lines_by_requests(p),
                      "lines of an SM in a kernel, by the requests of its loads for them"));
  out.push_back(
      chart("Use of a line", quarters(p.used_quarters), "lines that left a cache, by quarters touched"));
  out.push_back(chart("Reuse of a line", quarters(p.reused_quarters),
                      "lines that left a cache, by quarters touched more than once"));
  if (!p.cta_distances.empty())
    out.push_back(
        chart("Distance of sharing CTAs", cta_distances(p), "misses that another SM's cache could serve"));
  for (const golden::IndexProfile& index : p.indices) {
    const double misses = share(index.misses, p.requests);
    functions.push_back(
        {index.name, 100 * misses,
         fmt::format("{}, {:.1f} of {}", percent(misses), index.sets_in_use(), index.by_set.size())});
  }
  out.push_back(bar_chart("Misses by index function", {.title = "miss rate, %"}, functions,
                          "4 ways; behind the share, the sets in use"));
  return out;
}

HtmlTable pc_table(const Profile& p) {
  HtmlTable table{{"pc", "loads", "lines a load", "misses", "served by another SM"}, {}, 1};
  for (const auto& [number, pc] : p.pcs)
    table.rows.push_back({std::to_string(number), std::to_string(pc.loads),
                          fmt::format("{:.2f}", share(pc.requests, pc.loads)),
                          percent(share(pc.misses, pc.requests)), percent(share(pc.foreign, pc.misses))});
  return table;
}

nlohmann::ordered_json bins_json(const Bins& bins) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Bin& bin : bins) out[bin.name] = bin.count;
  return out;
}

std::string list(const Bins& bins) {
  std::uint64_t whole = 0;
  for (const Bin& bin : bins) whole += bin.count;
  std::vector<std::string> parts;
  for (const Bin& bin : bins)
    if (bin.count) parts.push_back(fmt::format("{}: {}", bin.name, percent(share(bin.count, whole))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string profile_text(const Profile& p) {
  std::string out = fmt::format(
      "{}: {} loads, {} stores, {} atomics, {} non-L1 on {} SMs; {:.2f} lines of {} bytes a load, {} "
      "distinct ({})\n",
      p.name, p.loads, p.stores, p.atomics, p.non_l1, p.options.sms, p.requests_per_load(),
      p.options.line_bytes, p.lines, size_text(p.lines * static_cast<std::uint64_t>(p.options.line_bytes)));
  if (p.requests == 0) return out;
  out += fmt::format("  lines a load touches   {}\n", list(degrees(p)));
  out += fmt::format("  touched before by      {}\n", list(locality(p)));
  out += fmt::format("  reuse distance         {}\n", list(distances(p)));
  std::vector<std::string> sizes;
  for (const Capacity& one : working_set(p))
    sizes.push_back(fmt::format("{}: {}", size_text(one.bytes), percent(one.miss_rate)));
  out += fmt::format("  misses by capacity     {}\n", fmt::join(sizes, ", "));
  out +=
      fmt::format("  with {:<17} {} misses, {} of them found in another L1\n",
                  size_text(p.options.cache_bytes), percent(p.miss_rate()), percent(p.replication_ratio()));
  out += fmt::format("  requests for a line    {}\n", list(lines_by_requests(p)));
  out += fmt::format("  use of a line          {} of its bytes; quarters touched {}; touched again {}\n",
                     percent(p.used_share()), list(quarters(p.used_quarters)),
                     list(quarters(p.reused_quarters)));
  if (!p.cta_distances.empty()) out += fmt::format("  distance of sharers    {}\n", list(cta_distances(p)));
  std::vector<std::string> indices;
  for (const auto& index : p.indices)
    indices.push_back(fmt::format("{}: {} ({:.1f} of {} sets)", index.name,
                                  percent(share(index.misses, p.requests)), index.sets_in_use(),
                                  index.by_set.size()));
  out += fmt::format("  misses by index        {}\n", fmt::join(indices, ", "));
  for (const auto& [number, pc] : p.pcs)
    out +=
        fmt::format("  pc {:<6} {:>9} loads, {:.2f} lines each, {} misses, {} of them found in another L1\n",
                    number, pc.loads, share(pc.requests, pc.loads), percent(share(pc.misses, pc.requests)),
                    percent(share(pc.foreign, pc.misses)));
  for (const auto& one : golden::classes(p))
    out += fmt::format("  {}: {} ({})\n", one.paper, one.word, one.why);
  return out;
}

nlohmann::ordered_json profile_json(const Profile& p) {
  nlohmann::ordered_json capacities = nlohmann::ordered_json::array(), indices = capacities, pcs = capacities,
                         found = capacities, where = nlohmann::ordered_json::object();
  for (const Capacity& one : working_set(p))
    capacities.push_back({{"bytes", one.bytes}, {"miss_rate", one.miss_rate}});
  for (const auto& index : p.indices)
    indices.push_back({{"index", index.name},
                       {"misses", index.misses},
                       {"miss_rate", share(index.misses, p.requests)},
                       {"sets", index.by_set.size()},
                       {"sets_in_use", index.sets_in_use()}});
  for (const auto& [number, pc] : p.pcs)
    pcs.push_back({{"pc", number},
                   {"loads", pc.loads},
                   {"requests", pc.requests},
                   {"misses", pc.misses},
                   {"found_in_another_l1", pc.foreign}});
  for (const auto& one : golden::classes(p))
    found.push_back({{"paper", one.paper}, {"class", one.word}, {"why", one.why}});
  for (std::size_t i = 0; i < p.locality.size(); ++i) where[golden::locality_names[i]] = p.locality[i];
  return {{"trace", p.name},
          {"sms", p.options.sms},
          {"line_bytes", p.options.line_bytes},
          {"cache_bytes", p.options.cache_bytes},
          {"loads", p.loads},
          {"stores", p.stores},
          {"atomics", p.atomics},
          {"non_l1", p.non_l1},
          {"requests", p.requests},
          {"requests_per_load", p.requests_per_load()},
          {"lines", p.lines},
          {"loads_by_degree", bins_json(degrees(p))},
          {"locality", where},
          {"reuse_distances", bins_json(distances(p))},
          {"working_set", capacities},
          {"misses", p.misses},
          {"miss_rate", p.miss_rate()},
          {"found_in_another_l1", p.foreign},
          {"replication_ratio", p.replication_ratio()},
          {"line_use",
           {{"lines", p.evicted},
            {"bytes_used", p.used_share()},
            {"quarters_touched", p.used_quarters},
            {"quarters_touched_again", p.reused_quarters}}},
          {"lines_by_requests", bins_json(lines_by_requests(p))},
          {"cta_distances", bins_json(cta_distances(p))},
          {"indices", indices},
          {"pcs", pcs},
          {"classes", found}};
}

std::string profile_html(const std::vector<Profile>& profiles, const Origin& origin) {
  std::string body;
  for (const Profile& p : profiles) {
    body += fmt::format(
        "<h2>{}</h2>\n<p>{} loads, {:.2f} lines a load, {} distinct lines; {} misses in {}, {} of them "
        "in another L1.</p>\n",
        escaped(p.name), p.loads, p.requests_per_load(), p.lines, percent(p.miss_rate()),
        size_text(p.options.cache_bytes), percent(p.replication_ratio()));
    HtmlTable sorted{{"paper", "class", "why"}, {}, 3};
    for (const auto& one : golden::classes(p)) sorted.rows.push_back({one.paper, one.word, one.why});
    body += html(sorted) + html_charts(charts(p)) + html_boxed(pc_table(p));
  }
  return html_page("Traces profiled", body, origin);
}

}  // namespace gen
