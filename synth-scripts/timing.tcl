# Longest path of a mapped unit: ideal clock and wires, an inverter at each input, a load at each output,
# reset a false path. Pins of RAMs are ports. `l1forge area` fills in the words between at-signs. OpenSTA of
# 2019 ends with status 0 whatever happened, so success is a line of its own.
proc analyse {} {
  read_liberty liberty.lib
  read_verilog netlist.v
  link_design @TOP@
  set_cmd_units -capacitance fF -time ns

  set clocks {@CLOCKS@}
  set resets {@RESETS@}
  foreach port [concat $clocks $resets] {
    if {[llength [get_ports -quiet $port]] == 0} { error "no port $port" }
  }
  foreach clock $clocks { create_clock -name $clock -period @PERIOD@ [get_ports $clock] }
  # A unit without a clock is timed from its inputs to its outputs by a clock that exists on paper only.
  if {[llength $clocks] == 0} { create_clock -name virtual -period @PERIOD@ }
  set reference [lindex [concat $clocks virtual] 0]

  # Names with a dot are pins of RAMs, which are black boxes: their outputs are driven like inputs, so long
  # after the clock, and their inputs are loaded like outputs, so long before it.
  set rams {@RAMS@}
  proc times_of {rams name} {
    foreach {pattern access setup clock} $rams {
      if {[string match $pattern $name]} { return [list $access $setup [string match *.$clock $name]] }
    }
    return {0 0 0}
  }

  foreach port [all_inputs] {
    set name [get_property $port full_name]
    if {[lsearch -exact $clocks $name] >= 0} { continue }
    set_input_delay [lindex [times_of $rams $name] 0] -clock $reference $port
    set_driving_cell -lib_cell @DRIVER@ $port
    if {[lsearch -exact $resets $name] >= 0} { set_false_path -from $port }
  }
  foreach port [all_outputs] {
    set times [times_of $rams [get_property $port full_name]]
    if {[lindex $times 2]} { continue }
    set_output_delay [lindex $times 1] -clock $reference $port
  }
  set_load @LOAD_FF@ [all_outputs]
  report_checks -path_delay max -digits 4 > timing.txt
}
if {[catch analyse message]} {
  puts "ERROR: $message"
} else {
  puts "timing done"
}
