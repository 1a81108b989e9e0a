// kind: output
// at: timer
// ends: ^exceeded instruction_limit of 1000000 in \w+, [\w.-]+\.js:\d+( \(a loop that began at \d+\))?$
function process_message() {
  return 0;
}
function timer_event() {
  for (;;) write_output('x');
}
