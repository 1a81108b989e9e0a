// ends: truncated length \(tag 1, wire type 2, at byte 0\)
class B extends Uint8Array {
  get length() {
    return 2 ** 31;
  }
}
function process_message() {
  inject_message(new B([10, 16, 0, 0, 0, 0, 0, 0]));
  return 1;
}
