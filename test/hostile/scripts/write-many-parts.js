// kind: output
// ends: write_output: exceeded output_limit of 64512
function process_message() {
  write_output(...Array.from({ length: 70_000 }, () => 'x'));
  return 0;
}
