index_pli.v
