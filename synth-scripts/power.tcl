# Power of a mapped unit whose activity is given: toggles a cycle, and the share of cycles high, of each net.
# `l1forge energy` fills in the words between at-signs. Environment are those of timing.tcl. OpenSTA of 2019
# heeds the activity of ports alone, so annotated.lib has the cells with pins that tell them that of their outputs.
# It ends with status 0 whatever happened, so success is a line of its own.
proc analyse {} {
  read_liberty annotated.lib
  read_verilog power.v
  link_design unit
  set_cmd_units -capacitance fF -time ns
  set clock {@CLOCK@}
  if {$clock eq ""} {
    create_clock -name cycles -period @PERIOD@
  } else {
    create_clock -name cycles -period @PERIOD@ [get_ports $clock]
  }
  # Activity is a cycle of the clock that a pin belongs to.
  foreach port [all_inputs] {
    if {[get_property $port full_name] eq $clock} { continue }
    set_input_delay 0 -clock cycles $port
    set_driving_cell -lib_cell @DRIVER@ $port
  }
  source loads.tcl
  source activity.tcl
  report_power -digits 6 > power.txt
}
if {[catch analyse message]} {
  puts "ERROR: $message"
} else {
  puts "power done"
}
