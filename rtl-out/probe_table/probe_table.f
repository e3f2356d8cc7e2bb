probe_table_found.v
lowest_of.v
below_in_groups.v
probe_table_queue.v
number_of.v
probe_table_list.v
probe_table.v
