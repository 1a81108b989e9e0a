// kind: output
// ends: ^exceeded instruction_limit of 1000000$
function process_message() {
  for (;;) write_output('x'.repeat(1000));
}
