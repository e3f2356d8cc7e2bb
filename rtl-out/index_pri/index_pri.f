index_pri.v
