// kind: output
// ends: detached
function process_message() {
  const bytes = new Uint8Array(8);
  bytes.buffer.transfer();
  write_output(bytes);
  return 0;
}
