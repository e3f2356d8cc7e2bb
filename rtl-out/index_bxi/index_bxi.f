index_bxi.v
