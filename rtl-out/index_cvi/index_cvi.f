index_cvi.v
