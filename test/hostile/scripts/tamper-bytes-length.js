// ends: a message of 8 bytes, at least 20 are needed
class B extends Uint8Array {
  get length() {
    return 2 ** 31;
  }
}
function process_message() {
  inject_message(new B(8));
  return 1;
}
