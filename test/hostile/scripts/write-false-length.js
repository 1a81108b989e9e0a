// kind: output
// ends: ^exceeded (instruction_limit of 1000000 in \w+, .*|memory_limit of 8388608( in .*)?)$
class Bytes extends Uint8Array {
  get length() {
    return 2 ** 40;
  }
  get byteLength() {
    return -1;
  }
}
const bytes = new Bytes(4);
function process_message() {
  for (;;) write_output(bytes, bytes);
}
