axi4_burst_a32_i4_d32.v
register_file.v
ordered_slots_n32_w6_ram.v
ordered_slots_n16_w6.v
sram_1r1w.v
axi4_adapter.v
