index_lin.v
