// The functions of the C interface: each turns exceptions into a status and a message.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/l1forge/client.h"
#include "clients/library/cache.h"
#include "gen/config/config.h"
#include "gen/config/text.h"
#include "gen/version.h"
#include "hw/l1d/l1d.h"

struct l1forge_cache {
  client::Cache cache;
};

namespace {

using client::Refused;

std::string& message() {
  thread_local std::string text;
  return text;
}

// The message is lost where even that finds no memory.
l1forge_status failed(l1forge_status status, const char* what) noexcept {
  try {
    message() = gen::one_line(what);
  } catch (...) {
    message().clear();
  }
  return status;
}

template <class Call>
l1forge_status guarded(Call&& call) noexcept {
  try {
    call();
    return L1FORGE_OK;
  } catch (const Refused& refused) {
    return failed(refused.status, refused.what());
  } catch (const std::bad_alloc&) {
    return failed(L1FORGE_NO_MEMORY, "not enough memory");
  } catch (const std::exception& error) {
    return failed(L1FORGE_INTERNAL, error.what());
  } catch (...) {
    return failed(L1FORGE_INTERNAL, "an exception of an unknown kind");
  }
}

template <class Pointer>
Pointer& present(Pointer* pointer, const char* name) {
  if (!pointer) throw Refused(L1FORGE_BAD_ARGUMENT, fmt::format("{} is null", name));
  return *pointer;
}

std::vector<std::string> settings_of(const char* const* settings, size_t count) {
  if (count) present(settings, "settings");
  std::vector<std::string> all;
  for (const char* setting : std::span(settings, count)) all.emplace_back(&present(setting, "a setting"));
  return all;
}

const hw::L1dParams& cache_of(const gen::Config& config) {
  if (gen::preset_named(config.preset).family->name != "L1 data cache")
    throw gen::ConfigError(config.source,
                           fmt::format("{} is not a cache; this interface runs L1 data caches, "
                                       "such as l1d",
                                       config.preset));
  const auto& params = config.get<hw::L1dParams>();
  gen::with_places(config, [&] {
    hw::check(params);
    hw::require(params.protocol == hw::MemoryProtocol::native, "memory.protocol", "axi4",
                "this interface has the native memory streams", "leave it out");
  });
  return params;
}

// `load` gives the configuration.
template <class Load>
l1forge_status create(Load&& load, unsigned options, l1forge_cache** cache) noexcept {
  if (cache) *cache = nullptr;
  return guarded([&] {
    present(cache, "cache");
    if (options & ~unsigned{L1FORGE_WITH_DATA})
      throw Refused(L1FORGE_BAD_ARGUMENT, fmt::format("options = {}: an unknown bit is set", options));
    hw::L1dParams params;
    try {
      params = cache_of(load());
    } catch (const Refused&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw Refused(L1FORGE_BAD_CONFIGURATION, error.what());
    }
    *cache = new l1forge_cache{{params, (options & L1FORGE_WITH_DATA) != 0}};
  });
}

}  // namespace

uint32_t l1forge_abi() { return L1FORGE_ABI; }
const char* l1forge_version() { return gen::version.data(); }
const char* l1forge_message() { return message().c_str(); }

l1forge_status l1forge_cache_create(const char* unit, const char* const* settings, size_t count,
                                    unsigned options, l1forge_cache** cache) {
  const auto load = [&] {
    present(unit, "unit");
    return gen::load_config(unit, settings_of(settings, count));
  };
  return create(load, options, cache);
}

l1forge_status l1forge_cache_create_toml(const char* text, const char* const* settings, size_t count,
                                         unsigned options, l1forge_cache** cache) {
  const auto load = [&] {
    present(text, "text");
    return gen::parse_config(text, "<toml>", settings_of(settings, count));
  };
  return create(load, options, cache);
}

void l1forge_cache_destroy(l1forge_cache* cache) { delete cache; }

l1forge_status l1forge_cache_shape(const l1forge_cache* cache, l1forge_shape* shape) {
  return guarded([&] { present(shape, "shape") = present(cache, "cache").cache.shape(); });
}

l1forge_status l1forge_cache_outputs(l1forge_cache* cache, const l1forge_inputs* inputs,
                                     l1forge_outputs* outputs) {
  return guarded([&] {
    l1forge_outputs& out = present(outputs, "outputs");
    out = present(cache, "cache").cache.outputs(present(inputs, "inputs"));
  });
}

l1forge_status l1forge_cache_edge(l1forge_cache* cache) {
  return guarded([&] { present(cache, "cache").cache.edge(); });
}

l1forge_status l1forge_cache_lookup(const l1forge_cache* cache, l1forge_lookup* lookup) {
  return guarded([&] { present(lookup, "lookup") = present(cache, "cache").cache.lookup(); });
}

int32_t l1forge_cache_input(const l1forge_cache* cache, const char* name) {
  return cache && name ? cache->cache.input(name) : -1;
}

int32_t l1forge_cache_output(const l1forge_cache* cache, const char* name) {
  return cache && name ? cache->cache.output(name) : -1;
}

uint64_t l1forge_cache_input_most(const l1forge_cache* cache, int32_t input) {
  return cache ? cache->cache.most(input) : 0;
}

l1forge_status l1forge_cache_drive(l1forge_cache* cache, int32_t input, uint64_t value) {
  return guarded([&] { present(cache, "cache").cache.drive(input, value); });
}

l1forge_status l1forge_cache_read(const l1forge_cache* cache, int32_t output, uint64_t* value) {
  return guarded([&] { present(value, "value") = present(cache, "cache").cache.read(output); });
}

uint32_t l1forge_cache_idle(const l1forge_cache* cache) { return cache && cache->cache.idle(); }

size_t l1forge_figure_count() { return client::figure_names().size(); }

const char* l1forge_figure_name(size_t figure) {
  return figure < client::figure_names().size() ? client::figure_names()[figure].c_str() : nullptr;
}

size_t l1forge_figure(const char* name) {
  const std::vector<std::string>& names = client::figure_names();
  return static_cast<size_t>(std::ranges::find(names, std::string_view(name ? name : "")) - names.begin());
}

l1forge_status l1forge_cache_figure(const l1forge_cache* cache, size_t figure, uint64_t* value) {
  return guarded([&] { present(value, "value") = present(cache, "cache").cache.figure(figure); });
}

l1forge_status l1forge_cache_rates(const l1forge_cache* cache, l1forge_rates* rates) {
  return guarded([&] { present(rates, "rates") = present(cache, "cache").cache.rates(); });
}
