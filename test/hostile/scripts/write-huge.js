// kind: output
// ends: write_output: exceeded output_limit of 64512
function process_message() {
  write_output('x'.repeat(1e6));
  return 0;
}
