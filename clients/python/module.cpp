// The Python module behind the package l1forge: cache models by the C interface, generator and exploration.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cctype>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "clients/l1forge/client.h"
#include "gen/config/config.h"
#include "gen/explore/explore.h"
#include "gen/explore/report.h"
#include "gen/generate.h"
#include "gen/version.h"

namespace py = pybind11;

namespace {

using Texts = std::vector<std::string>;

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(l1forge_status status) {
  if (status != L1FORGE_OK) throw Error(l1forge_message());
}

// Without Python's lock, since it takes a while; what the program refuses is an Error.
template <class Call>
auto refused_as_error(Call&& call) {
  const py::gil_scoped_release unlocked;
  try {
    return call();
  } catch (const std::runtime_error& error) {
    throw Error(error.what());
  }
}

Texts generate(const std::string& unit, const Texts& settings, const std::string& folder, bool force) {
  return refused_as_error([&] {
    const gen::Config config = gen::load_config(unit, settings);
    const gen::FileSet files = gen::with_places(config, [&] { return gen::generated_files(config); });
    const std::filesystem::path to = folder.empty() ? config.top : folder;
    gen::write_folder(to, files, force);
    Texts paths;
    for (const auto& [name, text] : files) paths.push_back((to / name).string());
    return paths;
  });
}

std::string explore(const Texts& units, const Texts& settings, const Texts& traces,
                    const std::string& requests, std::optional<bool> timed, std::optional<int> sms,
                    const std::optional<std::string>& scheduler, const std::string& system) {
  return refused_as_error([&] {
    std::vector<gen::Config> configs;
    for (const std::string& unit : units) configs.push_back(gen::load_config(unit, settings));
    if (configs.empty()) throw Error("explore: units: name one at least");
    gen::ExploreRequest request;
    request.traces = traces;
    request.requests = requests;
    request.timed = timed;
    request.sms = sms.value_or(1);
    request.sms_given = sms.has_value();
    if (request.sms < 1 || request.sms > 128)
      throw Error(fmt::format("explore: sms = {}: must be 1 to 128", request.sms));
    request.scheduler_given = scheduler.has_value();
    if (scheduler) request.scheduler = *scheduler;
    if (!system.empty()) request.system = gen::load_system(system);
    std::string dump;
    return gen::explore_json(gen::explored(configs, request, dump)).dump();
  });
}

// "FAIL_MSHR" is shown as "fail_mshr".
const char* name_of(std::uint32_t outcome) {
  switch (outcome) {
    case L1FORGE_HIT:
      return "hit";
    case L1FORGE_HIT_PENDING:
      return "hit_pending";
    case L1FORGE_PARTIAL_MISS:
      return "partial_miss";
    case L1FORGE_MISS:
      return "miss";
    case L1FORGE_BYPASS:
      return "bypass";
    case L1FORGE_STORED:
      return "stored";
    case L1FORGE_ATOMIC_SENT:
      return "atomic_sent";
    case L1FORGE_NON_L1_SENT:
      return "non_l1_sent";
    case L1FORGE_INVALIDATED:
      return "invalidated";
    case L1FORGE_SNOOP_FOUND:
      return "snoop_found";
    case L1FORGE_SNOOP_ABSENT:
      return "snoop_absent";
    case L1FORGE_FAIL_LINE:
      return "fail_line";
    case L1FORGE_FAIL_MSHR:
      return "fail_mshr";
    case L1FORGE_FAIL_MERGE:
      return "fail_merge";
    case L1FORGE_FAIL_QUEUE:
      return "fail_queue";
    case L1FORGE_STALL_RESPONSE:
      return "stall_response";
    case L1FORGE_STALL_BANK:
      return "stall_bank";
    case L1FORGE_STALL_ARBITRATION:
      return "stall_arbitration";
    case L1FORGE_STALL_PLAN:
      return "stall_plan";
    case L1FORGE_STALL_FLUSH:
      return "stall_flush";
    default:
      return "nothing";
  }
}

// A line's bytes, or its enables; null for none.
const std::uint8_t* bytes_of(const std::optional<py::bytes>& given, const char* name, std::size_t size) {
  if (!given) return nullptr;
  const std::string_view text = *given;
  if (text.size() != size)
    throw Error(fmt::format("{}: has {} bytes, must have {}", name, text.size(), size));
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

class Cache {
 public:
  Cache(const std::string& unit, const Texts& settings, const std::optional<std::string>& toml, bool data) {
    std::vector<const char*> texts;
    for (const std::string& text : settings) texts.push_back(text.c_str());
    const unsigned options = data ? L1FORGE_WITH_DATA : 0;
    check(toml ? l1forge_cache_create_toml(toml->c_str(), texts.data(), texts.size(), options, &cache_)
               : l1forge_cache_create(unit.c_str(), texts.data(), texts.size(), options, &cache_));
    check(l1forge_cache_shape(cache_, &shape_));
  }
  ~Cache() { l1forge_cache_destroy(cache_); }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  const l1forge_shape& shape() const { return shape_; }
  std::size_t line() const { return shape_.line_bytes; }

  l1forge_outputs outputs(const l1forge_inputs& in) {
    l1forge_outputs out{};
    check(l1forge_cache_outputs(cache_, &in, &out));
    return out;
  }
  l1forge_lookup edge() {
    check(l1forge_cache_edge(cache_));
    l1forge_lookup lookup{};
    check(l1forge_cache_lookup(cache_, &lookup));
    return lookup;
  }
  void drive(const std::string& name, std::uint64_t value) {
    const std::int32_t input = l1forge_cache_input(cache_, name.c_str());
    if (input < 0) throw Error(fmt::format("{}: this cache has no such input", name));
    check(l1forge_cache_drive(cache_, input, value));
  }
  std::uint64_t read(const std::string& name) const {
    const std::int32_t output = l1forge_cache_output(cache_, name.c_str());
    if (output < 0) throw Error(fmt::format("{}: this cache has no such output", name));
    std::uint64_t value = 0;
    check(l1forge_cache_read(cache_, output, &value));
    return value;
  }
  bool idle() const { return l1forge_cache_idle(cache_); }
  py::dict figures() const {
    py::dict figures;
    for (std::size_t f = 0; f < l1forge_figure_count(); ++f) {
      std::uint64_t value = 0;
      check(l1forge_cache_figure(cache_, f, &value));
      figures[l1forge_figure_name(f)] = value;
    }
    return figures;
  }
  py::dict rates() const {
    l1forge_rates rates{};
    check(l1forge_cache_rates(cache_, &rates));
    using namespace py::literals;
    return py::dict("hit"_a = rates.hit, "miss"_a = rates.miss, "partial_miss"_a = rates.partial_miss,
                    "bypass"_a = rates.bypass);
  }

 private:
  l1forge_cache* cache_ = nullptr;
  l1forge_shape shape_{};
};

// What an output drives, its data copied.
struct Outputs : l1forge_outputs {
  std::optional<py::bytes> response_data, request_byte_enable, request_data;

  Outputs(const l1forge_outputs& out, std::size_t line) : l1forge_outputs(out) {
    const auto copied = [](const std::uint8_t* bytes, std::size_t size) -> std::optional<py::bytes> {
      if (!bytes) return std::nullopt;
      return py::bytes(reinterpret_cast<const char*>(bytes), size);
    };
    response_data = copied(core_response_data, line);
    request_byte_enable = copied(memory_request_byte_enable, line / 8);
    request_data = copied(memory_request_data, line);
  }
};

py::dict dict_of(const l1forge_shape& s) {
  using namespace py::literals;
  return py::dict("line_bytes"_a = s.line_bytes, "chunk_bytes"_a = s.chunk_bytes, "sets"_a = s.sets,
                  "ways"_a = s.ways, "capacity_bytes"_a = s.capacity_bytes, "mshr_entries"_a = s.mshr_entries,
                  "mshr_merges"_a = s.mshr_merges, "miss_queue"_a = s.miss_queue,
                  "address_bits"_a = s.address_bits, "core_id_bits"_a = s.core_id_bits,
                  "memory_id_bits"_a = s.memory_id_bits, "kinds"_a = s.kinds, "warps"_a = s.warps,
                  "warps_of_core"_a = s.warps_of_core, "warp_bits"_a = s.warp_bits,
                  "hit_latency"_a = s.hit_latency);
}

void add_cache(py::module_& m) {
  using Bytes = std::optional<py::bytes>;
  using py::arg;
  py::class_<Cache> cache(m, "Cache");
  cache.def(py::init<const std::string&, const Texts&, const std::optional<std::string>&, bool>())
      .def_property_readonly("shape", [](const Cache& c) { return dict_of(c.shape()); })
      .def("edge", &Cache::edge, "The clock edge; returns the tag lookup of the cycle that it ends.")
      .def("drive", &Cache::drive, "Drives an input of a monitor, or a control, until it is driven again.")
      .def("read", &Cache::read, "A control that the cache decides, such as limit.")
      .def_property_readonly("idle", &Cache::idle)
      .def_property_readonly("figures", &Cache::figures)
      .def_property_readonly("rates", &Cache::rates);
  cache.def(
      "outputs",
      [](Cache& c, bool reset, bool core_request_valid, std::uint8_t kind, std::uint64_t id,
         std::uint64_t address, std::uint32_t mask, std::uint8_t degree, bool not_first, std::uint32_t pc,
         std::uint32_t warp, const Bytes& byte_enable, const Bytes& data, bool core_response_ready,
         bool memory_request_ready, bool memory_response_valid, std::uint64_t response_id,
         std::uint32_t response_mask, const Bytes& response_data, bool flush_valid) {
        l1forge_inputs in{};
        in.reset = reset;
        in.core_request_valid = core_request_valid;
        in.core_request_kind = kind;
        in.core_request_id = id;
        in.core_request_address = address;
        in.core_request_mask = mask;
        in.core_request_degree = degree;
        in.core_request_not_first = not_first;
        in.core_request_pc = pc;
        in.core_request_warp = warp;
        in.core_request_byte_enable = bytes_of(byte_enable, "core_request_byte_enable", c.line() / 8);
        in.core_request_data = bytes_of(data, "core_request_data", c.line());
        in.core_response_ready = core_response_ready;
        in.memory_request_ready = memory_request_ready;
        in.memory_response_valid = memory_response_valid;
        in.memory_response_id = response_id;
        in.memory_response_mask = response_mask;
        in.memory_response_data = bytes_of(response_data, "memory_response_data", c.line());
        in.flush_valid = flush_valid;
        return Outputs(c.outputs(in), c.line());
      },
      "What the cache drives in this cycle, given these inputs; changes no state.", py::kw_only(),
      arg("reset") = false, arg("core_request_valid") = false, arg("core_request_kind") = 0,
      arg("core_request_id") = 0, arg("core_request_address") = 0, arg("core_request_mask") = 0,
      arg("core_request_degree") = 0, arg("core_request_not_first") = false, arg("core_request_pc") = 0,
      arg("core_request_warp") = 0, arg("core_request_byte_enable") = py::none(),
      arg("core_request_data") = py::none(), arg("core_response_ready") = false,
      arg("memory_request_ready") = false, arg("memory_response_valid") = false,
      arg("memory_response_id") = 0, arg("memory_response_mask") = 0,
      arg("memory_response_data") = py::none(), arg("flush_valid") = false);
}

void add_results(py::module_& m) {
  py::class_<Outputs>(m, "Outputs")
#define FIELD(name) .def_property_readonly(#name, [](const Outputs& o) { return o.name; })
#define TRUTH(name) .def_property_readonly(#name, [](const Outputs& o) { return o.name != 0; })
      TRUTH(core_request_ready) TRUTH(core_response_valid) TRUTH(memory_request_valid)
          TRUTH(memory_response_ready) TRUTH(flush_ready) FIELD(memory_request_kind) FIELD(core_response_mask)
              FIELD(memory_request_mask) FIELD(memory_request_pc) FIELD(core_response_id)
                  FIELD(memory_request_id) FIELD(memory_request_address)
#undef FIELD
#undef TRUTH
                      .def_readonly("core_response_data", &Outputs::response_data)
                      .def_readonly("memory_request_byte_enable", &Outputs::request_byte_enable)
                      .def_readonly("memory_request_data", &Outputs::request_data);
  py::class_<l1forge_lookup>(m, "Lookup")
      .def_property_readonly("outcome", [](const l1forge_lookup& l) { return name_of(l.outcome); })
      .def_readonly("kind", &l1forge_lookup::kind)
      .def_readonly("set", &l1forge_lookup::set)
      .def_readonly("mask", &l1forge_lookup::mask)
      .def_readonly("id", &l1forge_lookup::id);
}

}  // namespace

PYBIND11_MODULE(_l1forge, m) {
  py::register_exception<Error>(m, "Error");
  m.attr("version") = std::string(gen::version);
  m.def("presets", &gen::preset_names, "Names of all presets.");
  m.def("generate", &generate);
  m.def("explore", &explore);
  add_results(m);
  add_cache(m);
}
