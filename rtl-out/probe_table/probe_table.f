probe_table_found.v
lowest_of_32.v
below_in_groups_32_of_8.v
probe_table_queue.v
number_of_32.v
number_of_28.v
probe_table_list.v
probe_table.v
