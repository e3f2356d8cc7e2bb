// Example: an L1 data cache of this generator in the place of VX_cache_wrap, the data cache of the open GPU
// Vortex (docs/clients/vortex.md says which instance it replaces, and how both parts of it are generated).
// Its ports are those of VX_cache_wrap; its parameters have the names that VX_cache_cluster gives them. The
// defaults are the shape of Vortex as it comes: 4 lanes of 4 bytes, lines of 64 bytes.

// Port BUS of the adapter is number N of the core's buses.
`define VORTEX_SHIM_CORE_BUS(BUS, N)                               \
    .BUS``_request_valid(core_bus_if[N].req_valid),                \
    .BUS``_request_ready(core_bus_if[N].req_ready),                \
    .BUS``_request_rw(core_bus_if[N].req_data.rw),                 \
    .BUS``_request_address(core_bus_if[N].req_data.addr),          \
    .BUS``_request_data(core_bus_if[N].req_data.data),             \
    .BUS``_request_byte_enable(core_bus_if[N].req_data.byteen),    \
    .BUS``_request_flush(core_bus_if[N].req_data.flags[FLUSH]),    \
    .BUS``_request_io(core_bus_if[N].req_data.flags[IO]),          \
    .BUS``_request_tag(core_bus_if[N].req_data.tag),               \
    .BUS``_response_valid(core_bus_if[N].rsp_valid),               \
    .BUS``_response_ready(core_bus_if[N].rsp_ready),               \
    .BUS``_response_data(core_bus_if[N].rsp_data.data),            \
    .BUS``_response_tag(core_bus_if[N].rsp_data.tag)

module vortex_shim #(
  parameter int NUM_REQS        = 1,   // buses of the core: client.ports
  parameter int MEM_PORTS       = 1,   // buses to memory: the first is used
  parameter int LINE_SIZE       = 64,  // bytes: geometry.line_bytes
  parameter int FLAGS_WIDTH     = 3,   // of the buses: MEM_REQ_FLAGS_WIDTH
  parameter int MEM_ADDR_WIDTH  = 32,  // of a byte address: geometry.address_bits
  parameter int SECTOR_SIZE     = 32,  // bytes: geometry.chunk_bytes
  parameter int CORE_ID_WIDTH   = 8,   // of the cache: core.id_bits
  parameter int MEMORY_ID_WIDTH = 9    // of the cache's memory_request_id: client.memory_id_bits
) (
  input  wire                      clk,
  input  wire                      reset,
`ifdef PERF_ENABLE
  output VX_gpu_pkg::cache_perf_t  cache_perf,
`endif
  VX_mem_bus_if.slave              core_bus_if [NUM_REQS],
  VX_mem_bus_if.master             mem_bus_if [MEM_PORTS]
);
  // Bits of the client's flags.
  localparam int FLUSH = 0;
  localparam int IO = 1;

  localparam int SECTORS = LINE_SIZE / SECTOR_SIZE;

  // Between adapter and cache.
  wire                       core_request_valid, core_request_ready;
  wire [CORE_ID_WIDTH-1:0]   core_request_id;
  wire [1:0]                 core_request_kind;
  wire [MEM_ADDR_WIDTH-1:0]  core_request_address;
  wire [SECTORS-1:0]         core_request_mask;
  wire [LINE_SIZE-1:0]       core_request_byte_enable;
  wire [8*LINE_SIZE-1:0]     core_request_data;
  wire                       core_response_valid, core_response_ready;
  wire [CORE_ID_WIDTH-1:0]   core_response_id;
  wire [SECTORS-1:0]         core_response_mask;
  wire [8*LINE_SIZE-1:0]     core_response_data;
  wire                       memory_request_valid, memory_request_ready;
  wire [MEMORY_ID_WIDTH-1:0] memory_request_id;
  wire [1:0]                 memory_request_kind;
  wire [MEM_ADDR_WIDTH-1:0]  memory_request_address;
  wire [SECTORS-1:0]         memory_request_mask;
  wire [LINE_SIZE-1:0]       memory_request_byte_enable;
  wire [8*LINE_SIZE-1:0]     memory_request_data;
  wire                       memory_response_valid, memory_response_ready;
  wire [MEMORY_ID_WIDTH-1:0] memory_response_id;
  wire [SECTORS-1:0]         memory_response_mask;
  wire [8*LINE_SIZE-1:0]     memory_response_data;
  wire                       flush_valid, flush_ready;
  wire                       event_loads, event_hits, event_stores, event_store_updates;
  wire                       event_reservation_fail_mshr, event_reservation_fail_merge;

  // As VX_cache counts.
  VX_gpu_pkg::cache_perf_t count;
`ifdef PERF_ENABLE
  assign cache_perf = count;
`else
  wire unused_count = &{1'b0, count};
`endif

  // Flags of a request to memory: none is of local memory.
  wire flush, io;
  assign mem_bus_if[0].req_data.flags = FLAGS_WIDTH'({io, flush});

  vortex_adapter adapter (
    .clk,
    .rst(reset),
`ifdef VORTEX_SHIM_TWO_BUSES
    `VORTEX_SHIM_CORE_BUS(bus0, 0),
    `VORTEX_SHIM_CORE_BUS(bus1, 1),
`else
    `VORTEX_SHIM_CORE_BUS(bus, 0),
`endif
    .memory_bus_request_valid(mem_bus_if[0].req_valid),
    .memory_bus_request_ready(mem_bus_if[0].req_ready),
    .memory_bus_request_rw(mem_bus_if[0].req_data.rw),
    .memory_bus_request_address(mem_bus_if[0].req_data.addr),
    .memory_bus_request_data(mem_bus_if[0].req_data.data),
    .memory_bus_request_byte_enable(mem_bus_if[0].req_data.byteen),
    .memory_bus_request_flush(flush),
    .memory_bus_request_io(io),
    .memory_bus_request_tag(mem_bus_if[0].req_data.tag),
    .memory_bus_response_valid(mem_bus_if[0].rsp_valid),
    .memory_bus_response_ready(mem_bus_if[0].rsp_ready),
    .memory_bus_response_data(mem_bus_if[0].rsp_data.data),
    .memory_bus_response_tag(mem_bus_if[0].rsp_data.tag),
    .read_count(count.reads),
    .write_count(count.writes),
    .read_miss_count(count.read_misses),
    .write_miss_count(count.write_misses),
    .bank_stall_count(count.bank_stalls),
    .mshr_stall_count(count.mshr_stalls),
    .memory_stall_count(count.mem_stalls),
    .response_stall_count(count.crsp_stalls),
    .*
  );

  // The other events of the cache stay open.
  // verilator lint_off PINMISSING
  vortex_l1d cache (
    .clk,
    .rst(reset),
    .core_request_valid,
    .core_request_ready,
    .core_request_id,
    .core_request_kind,
    .core_request_address,
    .core_request_mask,
    .core_request_byte_enable,
    .core_request_data,
    .core_response_valid,
    .core_response_ready,
    .core_response_id,
    .core_response_mask,
    .core_response_data,
    .memory_request_valid,
    .memory_request_ready,
    .memory_request_id,
    .memory_request_kind,
    .memory_request_address,
    .memory_request_mask,
    .memory_request_byte_enable,
    .memory_request_data,
    .memory_response_valid,
    .memory_response_ready,
    .memory_response_id,
    .memory_response_mask,
    .memory_response_data,
    .flush_valid,
    .flush_ready,
    .event_loads,
    .event_hits,
    .event_stores,
    .event_store_updates,
    .event_reservation_fail_mshr,
    .event_reservation_fail_merge
  );
  // verilator lint_on PINMISSING

  // One bus to memory is enough: all addresses go over the first.
  for (genvar n = 1; n < MEM_PORTS; ++n) begin : g_idle
    assign mem_bus_if[n].req_valid = 1'b0;
    assign mem_bus_if[n].req_data = '0;
    assign mem_bus_if[n].rsp_ready = 1'b1;
  end
endmodule

`undef VORTEX_SHIM_CORE_BUS
