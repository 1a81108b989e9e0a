// ends: returned 1$
class B extends Uint8Array {
  get length() {
    return 2 ** 40;
  }
  get byteLength() {
    return 2 ** 40;
  }
}
function process_message() {
  inject_message({ Fields: { v: new B(8) } });
  return 1;
}
