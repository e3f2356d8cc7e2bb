islip_answered_i8.v
islip_accept_i8.v
allocator_islip.v
