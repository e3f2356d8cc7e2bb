// Example: an L1 data cache of this generator in the place of the data cache of the open GPU Vortex, between
// two of that GPU's memory buses (docs/clients/vortex.md). 8 lanes of 4 bytes, lines of 128 bytes; generated
// beside it:
//   ./forge gen vortex_adapter -s client.tag_bits=8 -s client.memory_tag_bits=5 -o adapter
//   ./forge gen l1d_gpu -s probe.ports=true -s name=vortex_l1d -o cache
module vortex_shim #(
  parameter int FLAGS_WIDTH = 3  // of the client's buses
) (
  input  wire          clk,
  input  wire          reset,
  VX_mem_bus_if.slave  core_bus_if,  // words of 32 bytes
  VX_mem_bus_if.master mem_bus_if,   // lines of 128 bytes
  output wire [43:0]   hits,
  output wire [43:0]   misses,
  output wire [43:0]   stalls
);
  // Bits of the client's flags.
  localparam int FLUSH = 0;
  localparam int IO = 1;

  // Between adapter and cache.
  wire          core_request_valid, core_request_ready, core_response_valid, core_response_ready;
  wire          memory_request_valid, memory_request_ready, memory_response_valid, memory_response_ready;
  wire [7:0]    core_request_id, core_response_id;
  wire [8:0]    memory_request_id, memory_response_id;
  wire [1:0]    core_request_kind, memory_request_kind;
  wire [31:0]   core_request_address, memory_request_address;
  wire [3:0]    core_request_mask, core_response_mask, memory_request_mask, memory_response_mask;
  wire [127:0]  core_request_byte_enable, memory_request_byte_enable;
  wire [1023:0] core_request_data, core_response_data, memory_request_data, memory_response_data;
  wire          flush_valid, flush_ready, probe_valid, probe_miss;

  vortex_adapter adapter (
    .clk,
    .rst(reset),
    .bus_request_valid(core_bus_if.req_valid),
    .bus_request_ready(core_bus_if.req_ready),
    .bus_request_rw(core_bus_if.req_data.rw),
    .bus_request_address(core_bus_if.req_data.addr),
    .bus_request_data(core_bus_if.req_data.data),
    .bus_request_byte_enable(core_bus_if.req_data.byteen),
    .bus_request_flush(core_bus_if.req_data.flags[FLUSH]),
    .bus_request_io(core_bus_if.req_data.flags[IO]),
    .bus_request_tag(core_bus_if.req_data.tag),
    .bus_response_valid(core_bus_if.rsp_valid),
    .bus_response_ready(core_bus_if.rsp_ready),
    .bus_response_data(core_bus_if.rsp_data.data),
    .bus_response_tag(core_bus_if.rsp_data.tag),
    .memory_bus_request_valid(mem_bus_if.req_valid),
    .memory_bus_request_ready(mem_bus_if.req_ready),
    .memory_bus_request_rw(mem_bus_if.req_data.rw),
    .memory_bus_request_address(mem_bus_if.req_data.addr),
    .memory_bus_request_data(mem_bus_if.req_data.data),
    .memory_bus_request_byte_enable(mem_bus_if.req_data.byteen),
    .memory_bus_request_flush(mem_bus_if.req_data.flags[FLUSH]),
    .memory_bus_request_io(mem_bus_if.req_data.flags[IO]),
    .memory_bus_request_tag(mem_bus_if.req_data.tag),
    .memory_bus_response_valid(mem_bus_if.rsp_valid),
    .memory_bus_response_ready(mem_bus_if.rsp_ready),
    .memory_bus_response_data(mem_bus_if.rsp_data.data),
    .memory_bus_response_tag(mem_bus_if.rsp_data.tag),
    .hit_count(hits),
    .miss_count(misses),
    .stall_count(stalls),
    .*
  );

  // Requests to local memory do not come here.
  if (FLAGS_WIDTH > 2) begin : other_flags
    assign mem_bus_if.req_data.flags[FLAGS_WIDTH-1:2] = '0;
  end

  // The rest of what the cache says of its lookups is for monitors.
  wire [24:0] probe_block_address;
  wire [4:0]  probe_set;
  wire [2:0]  probe_chunks, probe_result;

  vortex_l1d cache (.clk, .rst(reset), .*);
endmodule
