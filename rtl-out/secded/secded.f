secded_encode_64.v
secded_decode_64.v
secded.v
