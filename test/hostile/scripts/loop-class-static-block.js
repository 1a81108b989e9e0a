// ends: exceeded instruction_limit
// at: load
class A {
  static {
    for (;;);
  }
}
function process_message() {
  return 0;
  return 0;
}
