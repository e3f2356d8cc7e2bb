#include "golden/trace/profile/profile.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <unordered_set>

#include "golden/gpu/front_end.h"
#include "golden/trace/profile/lru_caches.h"
#include "golden/trace/profile/reuse_distance.h"

namespace golden {

namespace {

constexpr std::size_t index_ways = 4;
constexpr std::uint32_t words_of_line = 32;

void count_in(std::vector<std::uint64_t>& bins, std::size_t bin) {
  if (bins.size() <= bin) bins.resize(bin + 1);
  ++bins[bin];
}

int quarters(std::uint32_t words) {
  int n = 0;
  for (int q = 0; q < 4; ++q) n += (words >> q * words_of_line / 4 & 0xFF) != 0;
  return n;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// The index functions that can divide that many sets.
std::vector<std::pair<std::string, hw::IndexParams>> index_functions(const ProfileOptions& options) {
  const int sets =
      static_cast<int>(options.cache_bytes / static_cast<std::uint64_t>(options.line_bytes) / index_ways);
  std::vector<std::pair<std::string, hw::IndexParams>> out;
  for (const auto& [name, kind] : {std::pair("cvi", hw::IndexKind::cvi), std::pair("bxi", hw::IndexKind::bxi),
                                   std::pair("rxi", hw::IndexKind::rxi), std::pair("pli", hw::IndexKind::pli),
                                   std::pair("pri", hw::IndexKind::pri)}) {
    if (kind == hw::IndexKind::rxi && (sets != 32 || options.line_bytes != 128)) continue;
    hw::IndexParams p;
    p.kind = kind;
    p.address_bits = 64;
    p.line_bytes = options.line_bytes;
    p.sets = sets;
    out.emplace_back(name, p);
  }
  return out;
}

// Who touched a line.
struct Toucher {
  int sm;
  std::uint32_t cta;
  std::uint64_t warp;
};

// A line on one SM: who touched it last, and its requests.
struct LineHere {
  Toucher latest;
  std::uint64_t requests = 0;
};

// Takes the loads of all SMs, in the order of their rounds.
class Profiler {
 public:
  Profiler(Profile& profile, FrontEnd& front) : profile_(profile), front_(front) {
    const ProfileOptions& o = profile.options;
    for (const auto& [name, p] : index_functions(o)) {
      indices_.push_back(std::make_unique<RunTimeIndex>(p));
      profile.indices.push_back({name, 0, std::vector<std::uint64_t>(static_cast<std::size_t>(p.sets))});
    }
    const std::size_t lines = o.cache_bytes / static_cast<std::uint64_t>(o.line_bytes);
    for (int sm = 0; sm < o.sms; ++sm) {
      SmState& state = sms_.emplace_back(SmState{FullyAssociative(lines), {}, {}, {}});
      for (const auto& index : indices_) state.sets.emplace_back(*index, lines / index_ways, index_ways);
    }
  }

  // Loads never wait: the next instruction of the SM is another warp's.
  bool access(int sm, std::span<const Request> requests) {
    switch (requests[0].kind) {
      case RequestKind::load:
        load(sm, requests);
        break;
      case RequestKind::store:
        ++profile_.stores;
        break;
      case RequestKind::atomic:
        ++profile_.atomics;
        break;
      default:
        ++profile_.non_l1;
    }
    return false;
  }

  // A kernel is over: so is what its successor could reuse.
  void flush() {
    for (SmState& state : sms_) {
      state.cache.clear([&](const FullyAssociative::Line& line) { evicted(line); });
      for (SetAssociative& sets : state.sets) sets.clear();
      state.reuse.clear();
      for (const auto& [address, line] : state.lines)
        ++profile_.lines_by_requests[std::min<std::uint64_t>(line.requests, 4) - 1];
      state.lines.clear();
    }
    everywhere_.clear();
  }

  void end() {
    flush();
    profile_.lines = lines_.size();
  }

 private:
  struct SmState {
    FullyAssociative cache;
    std::vector<SetAssociative> sets;  // by index function
    ReuseDistances reuse;
    std::unordered_map<std::uint64_t, LineHere> lines;
  };
  struct Line {
    int holders = 0;                                    // caches that have it
    Toucher latest{-1, 0, 0}, of_another_sm{-1, 0, 0};  // the second: latest of an SM that is not the first's
  };

  void load(int sm, std::span<const Request> requests) {
    ++profile_.loads;
    profile_.requests += requests.size();
    count_in(profile_.degrees, requests.size());
    PcProfile& pc = profile_.pcs[requests[0].sideband.pc];
    ++pc.loads;
    const Toucher toucher{sm, front_.sm(sm).turn_cta(), front_.sm(sm).turn_warp()};
    for (const Request& request : requests) line(toucher, request, pc);
  }

  void line(const Toucher& toucher, const Request& request, PcProfile& pc) {
    SmState& state = sms_[static_cast<std::size_t>(toucher.sm)];
    Line& line = everywhere_[request.address];
    if (line.latest.sm < 0) lines_.insert(request.address);
    ++pc.requests;
    if (const auto distance = state.reuse.touch(request.address))
      count_in(profile_.distances, static_cast<std::size_t>(std::bit_width(*distance)));
    LineHere& here = state.lines[request.address];
    ++profile_.locality[static_cast<std::size_t>(
        locality(here.requests++ == 0 ? nullptr : &here.latest, line, toucher))];
    here.latest = toucher;
    const bool hit =
        state.cache.access(request.address, request.mask, [&](const FullyAssociative::Line& old) {
          evicted(old);
          --everywhere_.find(old.address)->second.holders;
        });
    if (!hit) missed(line, toucher, pc);
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      std::size_t set = 0;
      profile_.indices[i].misses += !state.sets[i].access(request.address, set);
      ++profile_.indices[i].by_set[set];
    }
    if (line.latest.sm >= 0 && line.latest.sm != toucher.sm) line.of_another_sm = line.latest;
    line.latest = toucher;
  }

  static Locality locality(const Toucher* here, const Line& line, const Toucher& toucher) {
    if (here)
      return here->warp == toucher.warp ? Locality::intra_warp
             : here->cta == toucher.cta ? Locality::inter_warp
                                        : Locality::inter_cta;
    return line.latest.sm >= 0 ? Locality::inter_core : Locality::none;
  }

  void missed(Line& line, const Toucher& toucher, PcProfile& pc) {
    ++profile_.misses;
    ++pc.misses;
    if (line.holders++ == 0) return;
    ++profile_.foreign;
    ++pc.foreign;
    const Toucher& there = line.latest.sm == toucher.sm ? line.of_another_sm : line.latest;
    const auto distance =
        std::abs(static_cast<std::int64_t>(there.cta) - static_cast<std::int64_t>(toucher.cta));
    count_in(profile_.cta_distances,
             static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(distance) - 1)));
  }

  void evicted(const FullyAssociative::Line& line) {
    ++profile_.evicted;
    profile_.used_words += static_cast<std::uint64_t>(std::popcount(line.used));
    ++profile_.used_quarters[static_cast<std::size_t>(quarters(line.used))];
    ++profile_.reused_quarters[static_cast<std::size_t>(quarters(line.reused))];
  }

  Profile& profile_;
  FrontEnd& front_;
  std::vector<std::unique_ptr<RunTimeIndex>> indices_;
  std::vector<SmState> sms_;
  std::unordered_map<std::uint64_t, Line> everywhere_;
  std::unordered_set<std::uint64_t> lines_;
};

}  // namespace

double IndexProfile::sets_in_use() const {
  double sum = 0, squares = 0;
  for (const std::uint64_t n : by_set) {
    sum += static_cast<double>(n);
    squares += static_cast<double>(n) * static_cast<double>(n);
  }
  return squares > 0 ? sum * sum / squares : 0;
}

std::uint64_t Profile::misses_at(std::uint64_t bytes) const {
  const auto bins =
      static_cast<std::size_t>(std::bit_width(bytes / static_cast<std::uint64_t>(options.line_bytes)));
  std::uint64_t hits = 0;
  for (std::size_t bin = 0; bin < std::min(bins, distances.size()); ++bin) hits += distances[bin];
  return requests - hits;
}

double Profile::requests_per_load() const { return share(requests, loads); }
double Profile::miss_rate() const { return share(misses, requests); }
double Profile::replication_ratio() const { return share(foreign, misses); }
double Profile::used_share() const { return share(used_words, evicted * words_of_line); }
double Profile::wide_loads() const {
  std::uint64_t wide = 0;
  for (std::size_t degree = 3; degree < degrees.size(); ++degree) wide += degrees[degree];
  return share(wide, loads);
}

Profile profile(TraceSource& trace, const ProfileOptions& options) {
  Profile profile;
  profile.name = trace.name();
  profile.options = options;
  GpuParams gpu;
  gpu.sms = options.sms;
  gpu.scheduler = SchedulerKind::lrr;
  gpu.line_bytes = options.line_bytes;
  gpu.chunk_bytes = options.line_bytes / static_cast<int>(words_of_line);
  FrontEnd front(trace, gpu);
  Profiler profiler(profile, front);
  while (front.round(profiler)) continue;
  profiler.end();
  return profile;
}

}  // namespace golden
