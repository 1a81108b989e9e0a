// ends: a message of 8 bytes, at least 20 are needed
class B extends Uint8Array {
  get length() {
    return 1e9;
  }
}
function process_message() {
  decode_message(new B(8));
  return 1;
}
