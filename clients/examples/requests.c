// Serves a list of requests, one after the other, with a cache's cycle model, and prints the cache's figures:
// requests_c UNIT LIST [KEY=VALUE]... A line of the list is "L 10000080 f": kind, address and mask in hex.
#include <inttypes.h>
#include <l1forge/client.h>
#include <stdio.h>
#include <stdlib.h>

static void check(l1forge_status status) {
  if (status == L1FORGE_OK) return;
  fprintf(stderr, "requests_c: %s\n", l1forge_message());
  exit(2);
}

// A memory that responds in the next cycle. Returns the cycles until nothing is under way.
static uint64_t serve(l1forge_cache* cache, char kind, uint64_t address, uint32_t mask) {
  l1forge_inputs in = {0};
  l1forge_outputs out;
  uint64_t cycles = 0;
  int answered = 0;
  in.core_request_valid = 1;
  in.core_request_kind = kind == 'L' ? L1FORGE_LOAD : kind == 'S' ? L1FORGE_STORE : L1FORGE_ATOMIC;
  in.core_request_address = address;
  in.core_request_mask = mask;
  in.core_response_ready = in.memory_request_ready = 1;
  for (; !answered || !l1forge_cache_idle(cache); ++cycles) {
    check(l1forge_cache_outputs(cache, &in, &out));
    check(l1forge_cache_edge(cache));
    answered |= out.core_response_valid;
    if (out.core_request_ready) in.core_request_valid = 0;
    if (out.memory_response_ready) in.memory_response_valid = 0;
    if (!out.memory_request_valid) continue;
    in.memory_response_valid = 1;
    in.memory_response_id = out.memory_request_id;
    in.memory_response_mask = out.memory_request_kind == L1FORGE_STORE ? 0 : out.memory_request_mask;
  }
  return cycles;
}

int main(int argc, char** argv) {
  l1forge_cache* cache;
  uint64_t address, cycles = 0, value;
  uint32_t mask;
  char kind;
  FILE* const list = argc < 3 ? NULL : fopen(argv[2], "r");
  if (!list || l1forge_abi() != L1FORGE_ABI) return 2;
  check(l1forge_cache_create(argv[1], (const char* const*)argv + 3, (size_t)(argc - 3), 0, &cache));
  while (fscanf(list, " %c %" SCNx64 " %" SCNx32, &kind, &address, &mask) == 3)
    cycles += serve(cache, kind, address, mask);
  fclose(list);

  printf("cycles %" PRIu64 "\n", cycles);
  for (size_t f = 0; f < l1forge_figure_count(); ++f) {
    check(l1forge_cache_figure(cache, f, &value));
    printf("%s %" PRIu64 "\n", l1forge_figure_name(f), value);
  }
  l1forge_cache_destroy(cache);
  return 0;
}
