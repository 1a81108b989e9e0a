// ends: ^exceeded instruction_limit
function process_message() {
  class A {
    [(() => {
      for (;;);
    })()]() {}
  }
  return 0;
}
