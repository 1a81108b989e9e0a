// ends: async functions are not available
// at: load
class A {
  static async *#more() {
    for (;;);
  }
}
function process_message() {
  return 0;
}
