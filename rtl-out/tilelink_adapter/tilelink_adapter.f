register_file.v
slot_table_n32_w14.v
tilelink_adapter.v
