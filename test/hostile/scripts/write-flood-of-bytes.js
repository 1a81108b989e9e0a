// kind: output
// limits: {"instructions": 0, "output": 0}
// ends: ^exceeded memory_limit of 8388608
const bytes = new Uint8Array(100_000);
function process_message() {
  for (;;) write_output(bytes, 'x');
}
