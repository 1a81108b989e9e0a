// kind: output
// ends: ^exceeded instruction_limit of 1000000 in \w+, [\w.-]+\.js:\d+( \(a loop that began at \d+\))?$
function process_message() {
  for (;;) write_output('x'.repeat(1000));
}
