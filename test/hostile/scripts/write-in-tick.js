// kind: output
// at: timer
// ends: ^exceeded instruction_limit of 1000000$
function process_message() {
  return 0;
}
function timer_event() {
  for (;;) write_output('x');
}
