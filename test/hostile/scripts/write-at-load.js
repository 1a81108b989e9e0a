// kind: output
// at: load
// ends: write_output: not while the script is loading
write_output('x');
function process_message() {
  return 0;
}
