# Power of a mapped unit whose activity is given: toggles a cycle, and the share of cycles high, of each net.
# `l1forge energy` fills in the words between at-signs. Environment are those of timing.tcl. OpenSTA of 2019
# heeds the activity of ports alone, so annotated.lib has the cells with pins for that of their outputs.
# It ends with status 0 whatever happened, so success is a line of its own.
proc words_of {file} {
  set channel [open $file]
  set words [read $channel]
  close $channel
  return $words
}
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
  # Ports by name: get_ports compares a name with every port.
  foreach port [all_outputs] { set ports([get_property $port full_name]) $port }
  foreach port [all_inputs] {
    set name [get_property $port full_name]
    set ports($name) $port
    if {$name eq $clock} { continue }
    set_input_delay 0 -clock cycles $port
    set_driving_cell -lib_cell @DRIVER@ $port
  }
  foreach {port load} [words_of loads.txt] { set_load $load $ports($port) }
  foreach {port toggles duty} [words_of activity.txt] {
    sta::set_power_input_port_activity $ports($port) $toggles $duty
  }
  report_power -digits 6 > power.txt
}
if {[catch analyse message]} {
  puts "ERROR: $message"
} else {
  puts "power done"
}
