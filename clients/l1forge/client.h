// The C interface of L1Forge: an L1 data cache's cycle model for a simulator (docs/clients/library.md).
//
// A cycle: the caller sets the inputs and calls l1forge_cache_outputs as often as it likes, then
// l1forge_cache_edge once. A transfer of a stream takes place at an edge where valid and ready are both 1.
// docs/contracts/l1d.md defines every output in every cycle; the model is that of the generated Verilog.
//
// Errors: every function that can fail returns an l1forge_status, and l1forge_message() has one line of text.
// A call that fails changes nothing. No C++ exception leaves the library.
// Threads: one thread at a time uses an object; different objects may be used in different threads at once.
// Numbers of bits and units stand with each field. A truth value is 0 or 1; what is not 0 counts as 1.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define L1FORGE_API __attribute__((visibility("default")))
#else
#define L1FORGE_API
#endif

// Version of this interface. It changes when a struct, a number or a meaning changes; new functions leave it.
#define L1FORGE_ABI 2

typedef enum l1forge_status {
  L1FORGE_OK = 0,
  L1FORGE_BAD_CONFIGURATION = 1,  // preset, file, text or settings; the message is that of the command line
  L1FORGE_BAD_ARGUMENT = 2,       // a null pointer, or a value that the cache's ports cannot have
  L1FORGE_BAD_CALL = 3,           // an edge before the outputs of its cycle were asked for
  L1FORGE_NO_MEMORY = 4,
  L1FORGE_INTERNAL = 5  // a defect of the library
} l1forge_status;

// The library's L1FORGE_ABI. A program compares it with the macro that it was compiled with. Never fails.
L1FORGE_API uint32_t l1forge_abi(void);
// The generator's version, as "0.1.0". Never fails; valid until the end of the program.
L1FORGE_API const char* l1forge_version(void);
// Why the last failing call of this thread failed, in one line without its end; "" if none failed. Valid
// until the next failing call of this thread. Never fails.
L1FORGE_API const char* l1forge_message(void);

typedef struct l1forge_cache l1forge_cache;

// Options of a new cache.
enum {
  L1FORGE_WITH_DATA = 1  // the model keeps and returns bytes; without it the data fields do not count
};

// Creates the cache of a preset ("l1d_tsc"), of a TOML file or of a manifest, after a reset cycle. `settings`
// are `count` texts "key=value" as behind -s, later ones win; null if count is 0. On success *cache belongs
// to the caller, else it is null. Errors: L1FORGE_BAD_CONFIGURATION (no L1 data cache with native memory
// streams among them), L1FORGE_BAD_ARGUMENT, L1FORGE_NO_MEMORY. Takes some milliseconds.
L1FORGE_API l1forge_status l1forge_cache_create(const char* unit, const char* const* settings, size_t count,
                                                unsigned options, l1forge_cache** cache);
// The same from the text of a TOML file. Messages call it <toml>.
L1FORGE_API l1forge_status l1forge_cache_create_toml(const char* text, const char* const* settings,
                                                     size_t count, unsigned options, l1forge_cache** cache);
// Ends the cache. Null is allowed. Never fails.
L1FORGE_API void l1forge_cache_destroy(l1forge_cache* cache);

// Sizes of a cache, and the widths of its ports.
typedef struct l1forge_shape {
  uint32_t line_bytes, chunk_bytes;       // bytes of a line, and of a sector: a bit of a mask
  uint32_t sets, ways;                    // ways: 0 where lines lie in no ways
  uint32_t capacity_bytes;                // of the data
  uint32_t mshr_entries, mshr_merges;     // and the loads that wait in an entry
  uint32_t miss_queue;                    // requests
  uint32_t address_bits;                  // of core_request_address
  uint32_t core_id_bits, memory_id_bits;  // of core_*_id, of memory_*_id
  uint32_t kinds;                         // core_request_kind is less
  uint32_t warps;                         // of the warp limit's scope; 0 without a limit
  uint32_t warps_of_core;                 // the scope: 1 all warps of a core, 0 those of one scheduler
  uint32_t hit_latency;                   // cycles from a load's transfer to its response, unstalled
  uint32_t warp_bits;                     // of core_request_warp; 0: the cache has no such port
} l1forge_shape;
// Errors: L1FORGE_BAD_ARGUMENT.
L1FORGE_API l1forge_status l1forge_cache_shape(const l1forge_cache* cache, l1forge_shape* shape);

enum l1forge_kind {
  L1FORGE_LOAD = 0,
  L1FORGE_STORE = 1,
  L1FORGE_ATOMIC = 2,
  L1FORGE_NON_L1 = 3,
  L1FORGE_INVALIDATE = 4,  // core.drops: a line of this cache alone; it has no response
  L1FORGE_SNOOP = 5        // core.peeks
};

// What is driven into the cache in a cycle. All zero: nothing. Fields of a stream count while its valid is 1.
typedef struct l1forge_inputs {
  uint8_t reset;                   // 1: the edge resets the cache, and no transfer counts
  uint8_t core_request_valid;      // a request is offered
  uint8_t core_request_kind;       // enum l1forge_kind, less than shape.kinds
  uint8_t core_request_degree;     // 6 bits: requests that the load was split into; 0: one
  uint8_t core_request_not_first;  // 1: another request of the load came before; only bypass policies ask
  uint8_t core_response_ready;
  uint8_t memory_request_ready;
  uint8_t memory_response_valid;
  uint8_t flush_valid;            // all lines are to be lost
  uint32_t core_request_mask;     // bit s: sector s of the line; line_bytes / chunk_bytes bits, not 0
  uint32_t core_request_pc;       // number of the load's instruction; core.pc_bits bits
  uint32_t core_request_warp;     // the warp that asks; warp_bits bits. tags.store_on_pending = "merge"
  uint32_t memory_response_mask;  // that of the request; 0 for a store, and for a non-L1 request with enables
  uint64_t core_request_id;       // core_id_bits bits; comes back as core_response_id
  uint64_t core_request_address;  // address_bits bits, in bytes; the offset in the line does not count
  uint64_t memory_response_id;    // memory_id_bits bits, of a memory request that transferred
  // With L1FORGE_WITH_DATA, and valid until the edge; null: all 0.
  const uint8_t* core_request_byte_enable;  // line_bytes / 8 bytes: bit b % 8 of byte b / 8 enables byte b
  const uint8_t* core_request_data;         // line_bytes bytes, byte 0 that of the lowest address
  const uint8_t* memory_response_data;      // line_bytes bytes
} l1forge_inputs;

// What the cache drives in a cycle. Fields of a stream count while its valid is 1.
typedef struct l1forge_outputs {
  uint8_t core_request_ready;
  uint8_t core_response_valid;
  uint8_t memory_request_valid;
  uint8_t memory_request_kind;  // enum l1forge_kind, at most L1FORGE_NON_L1
  uint8_t memory_response_ready;
  uint8_t flush_ready;
  uint32_t core_response_mask;      // of the request; 0 for a store
  uint32_t memory_request_mask;     // sectors
  uint32_t memory_request_pc;       // of the load that asks
  uint64_t core_response_id;        // core_id_bits bits
  uint64_t memory_request_id;       // memory_id_bits bits
  uint64_t memory_request_address;  // address_bits bits, in bytes, of the line
  // With L1FORGE_WITH_DATA, else null; valid until the edge.
  const uint8_t* core_response_data;          // line_bytes bytes; those under the mask count
  const uint8_t* memory_request_byte_enable;  // line_bytes / 8 bytes; null for loads
  const uint8_t* memory_request_data;         // line_bytes bytes; null for loads
} l1forge_outputs;

// What the cache drives in this cycle, given these inputs; changes no state, so that inputs may be tried.
// Which outputs follow which inputs at once: docs/contracts/l1d.md, "core_request_ready". Errors:
// L1FORGE_BAD_ARGUMENT: a field that counts is out of its range, or a memory response answers no request on
// its way with its mask. Then nothing was evaluated, and the edge waits for another call.
L1FORGE_API l1forge_status l1forge_cache_outputs(l1forge_cache* cache, const l1forge_inputs* inputs,
                                                 l1forge_outputs* outputs);
// The clock edge, with the inputs of the last call of l1forge_cache_outputs in this cycle.
// Errors: L1FORGE_BAD_ARGUMENT, L1FORGE_BAD_CALL.
L1FORGE_API l1forge_status l1forge_cache_edge(l1forge_cache* cache);

// What became of the request in the tag-lookup stage in the cycle that the last edge ended.
enum l1forge_outcome {
  L1FORGE_NOTHING = 0,  // the stage was empty
  // It left, in its only such cycle:
  L1FORGE_HIT = 1,
  L1FORGE_HIT_PENDING = 2,
  L1FORGE_PARTIAL_MISS = 3,
  L1FORGE_MISS = 4,
  L1FORGE_BYPASS = 5,
  L1FORGE_STORED = 6,       // a store
  L1FORGE_ATOMIC_SENT = 7,  // an atomic
  L1FORGE_NON_L1_SENT = 8,
  L1FORGE_INVALIDATED = 9,
  L1FORGE_SNOOP_FOUND = 10,
  L1FORGE_SNOOP_ABSENT = 11,
  // It stays, and is decided again; reservation fails:
  L1FORGE_FAIL_LINE = 16,   // no way that could be replaced, or a poisoned entry
  L1FORGE_FAIL_MSHR = 17,   // no free entry
  L1FORGE_FAIL_MERGE = 18,  // no free target of the entry
  L1FORGE_FAIL_QUEUE = 19,  // the miss queue is full
  // and stalls:
  L1FORGE_STALL_RESPONSE = 20,     // the response stage is full
  L1FORGE_STALL_BANK = 21,         // a fill writes the bank
  L1FORGE_STALL_ARBITRATION = 22,  // another response has the grant
  L1FORGE_STALL_PLAN = 23,         // split and decoupled tags choose slots
  L1FORGE_STALL_FLUSH = 24         // an adaptive index changes
};
typedef struct l1forge_lookup {
  uint32_t outcome;  // enum l1forge_outcome; nothing below counts where it is L1FORGE_NOTHING
  uint32_t kind;     // enum l1forge_kind
  uint32_t set;      // less than shape.sets
  uint32_t mask;     // of the request
  uint64_t id;       // core_id_bits bits, of the request
} l1forge_lookup;
// Errors: L1FORGE_BAD_ARGUMENT.
L1FORGE_API l1forge_status l1forge_cache_lookup(const l1forge_cache* cache, l1forge_lookup* lookup);

// Inputs and outputs that only some caches have, by the name of their port. Inputs of monitors: kernel_start,
// total, issued (IACM), occupancy0.. and issued0.. (BUCL). Controls: tucd, filter_enable, mode_coarse, .. as
// inputs of caches that follow; limit (warps that may issue, of IACM) and mode_coarse as outputs of those
// that decide. The manifest of `l1forge gen` lists the ports of a cache. Number of the input, or of the
// output; -1 if this cache has none of that name, or an argument is null.
L1FORGE_API int32_t l1forge_cache_input(const l1forge_cache* cache, const char* name);
L1FORGE_API int32_t l1forge_cache_output(const l1forge_cache* cache, const char* name);
// The largest value that an input may have: of a count its limit, such as iacm.issue_max for issued, else what
// the port can hold. 0 if there is no such input. Never fails.
L1FORGE_API uint64_t l1forge_cache_input_most(const l1forge_cache* cache, int32_t input);
// Drives an input from this cycle on, until it is driven again; 0 in the beginning. It comes before the
// cycle's l1forge_cache_outputs. Errors: L1FORGE_BAD_ARGUMENT: no such input, or a value wider than its port.
L1FORGE_API l1forge_status l1forge_cache_drive(l1forge_cache* cache, int32_t input, uint64_t value);
// The output in this cycle; it changes at edges alone. Errors: L1FORGE_BAD_ARGUMENT.
L1FORGE_API l1forge_status l1forge_cache_read(const l1forge_cache* cache, int32_t output, uint64_t* value);

// 1 where nothing is under way in the cache: no request, no MSHR entry, no response. Memory may still owe the
// response of a store, an atomic, a non-L1 request or a bypass. 0 else, and for null. Never fails.
L1FORGE_API uint32_t l1forge_cache_idle(const l1forge_cache* cache);

// Figures: counters since creation, which a reset keeps. The names are those of `l1forge explore --json`
// (accesses, hits, .., reservation_fail_queue), then stall_<cause>: cycles in the tag-lookup stage.
// Number of figures; their order is the same for all caches of an ABI version. Never fails.
L1FORGE_API size_t l1forge_figure_count(void);
// Name of a figure; null from the count on. Valid until the end of the program. Never fails.
L1FORGE_API const char* l1forge_figure_name(size_t figure);
// Number of the figure of that name; the count if there is none. Never fails.
L1FORGE_API size_t l1forge_figure(const char* name);
// Its value: events, or cycles. Errors: L1FORGE_BAD_ARGUMENT.
L1FORGE_API l1forge_status l1forge_cache_figure(const l1forge_cache* cache, size_t figure, uint64_t* value);

// Shares of all loads that were looked up or bypassed, 0 to 1; 0 without loads.
typedef struct l1forge_rates {
  double hit;                   // nothing was asked of memory: hits, and hits on a pending line
  double miss;                  // the others
  double partial_miss, bypass;  // parts of miss
} l1forge_rates;
// Errors: L1FORGE_BAD_ARGUMENT.
L1FORGE_API l1forge_status l1forge_cache_rates(const l1forge_cache* cache, l1forge_rates* rates);

#ifdef __cplusplus
}
#endif
