// kind: output
// limits: {"instructions": 0}
// ends: ^exceeded memory_limit of 8388608
function process_message() {
  for (;;) write_output('x'.repeat(1000));
}
