register_file_8x5.v
slot_table_n8_w5.v
fifo_n4_w9.v
register_file_64x11.v
slot_table_n64_w11.v
vortex_adapter_memory.v
event_counter_w44.v
vortex_adapter.v
