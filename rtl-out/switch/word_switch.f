switch_output_i8_f32.v
word_switch.v
