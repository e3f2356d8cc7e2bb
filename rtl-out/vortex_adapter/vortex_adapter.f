register_file.v
slot_table_n8_w5.v
fifo.v
slot_table_n64_w11.v
vortex_adapter_memory.v
event_counter_w44.v
vortex_adapter.v
