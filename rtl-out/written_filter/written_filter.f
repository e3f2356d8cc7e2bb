sram_1r1w.v
written_filter.v
