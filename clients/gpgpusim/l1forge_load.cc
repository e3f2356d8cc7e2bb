// The functions of the C interface that the adapter calls, out of the shared library that L1FORGE_LIBRARY
// names, or libl1forge_client.so of the loader's path: the simulator is built and linked as before.
#include <dlfcn.h>

#include <cstdlib>

#include "l1forge_model.h"

namespace {

void* library() {
  static void* const opened = [] {
    const char* const named = getenv("L1FORGE_LIBRARY");
    void* const handle = dlopen(named ? named : "libl1forge_client.so", RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      l1forge_sim::stop(std::string(dlerror()) + "; set L1FORGE_LIBRARY to the path of libl1forge_client.so");
    return handle;
  }();
  return opened;
}

template <class Function>
Function found(const char* name) {
  void* const symbol = dlsym(library(), name);
  if (!symbol)
    l1forge_sim::stop(std::string(name) + " is missing in the library: another version of L1Forge");
  return reinterpret_cast<Function>(symbol);
}

}  // namespace

#define FORWARD(type, name, parameters, arguments)          \
  type name parameters {                                    \
    static const auto call = found<decltype(&name)>(#name); \
    return call arguments;                                  \
  }

FORWARD(uint32_t, l1forge_abi, (), ())
FORWARD(const char*, l1forge_message, (), ())
FORWARD(l1forge_status, l1forge_cache_create,
        (const char* unit, const char* const* settings, size_t count, unsigned options,
         l1forge_cache** cache),
        (unit, settings, count, options, cache))
FORWARD(void, l1forge_cache_destroy, (l1forge_cache * cache), (cache))
FORWARD(l1forge_status, l1forge_cache_shape, (const l1forge_cache* cache, l1forge_shape* shape),
        (cache, shape))
FORWARD(l1forge_status, l1forge_cache_outputs,
        (l1forge_cache * cache, const l1forge_inputs* inputs, l1forge_outputs* outputs),
        (cache, inputs, outputs))
FORWARD(l1forge_status, l1forge_cache_edge, (l1forge_cache * cache), (cache))
FORWARD(l1forge_status, l1forge_cache_lookup, (const l1forge_cache* cache, l1forge_lookup* lookup),
        (cache, lookup))
FORWARD(int32_t, l1forge_cache_input, (const l1forge_cache* cache, const char* name), (cache, name))
FORWARD(int32_t, l1forge_cache_output, (const l1forge_cache* cache, const char* name), (cache, name))
FORWARD(uint64_t, l1forge_cache_input_most, (const l1forge_cache* cache, int32_t input), (cache, input))
FORWARD(l1forge_status, l1forge_cache_drive, (l1forge_cache * cache, int32_t input, uint64_t value),
        (cache, input, value))
FORWARD(l1forge_status, l1forge_cache_read, (const l1forge_cache* cache, int32_t output, uint64_t* value),
        (cache, output, value))
FORWARD(size_t, l1forge_figure_count, (), ())
FORWARD(const char*, l1forge_figure_name, (size_t figure), (figure))
FORWARD(size_t, l1forge_figure, (const char* name), (name))
FORWARD(l1forge_status, l1forge_cache_figure, (const l1forge_cache* cache, size_t figure, uint64_t* value),
        (cache, figure, value))
