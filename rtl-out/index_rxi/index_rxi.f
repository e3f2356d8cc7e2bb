index_rxi.v
