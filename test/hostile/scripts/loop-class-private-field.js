// ends: ^exceeded instruction_limit
function process_message() {
  class A {
    static #x = (() => {
      for (;;);
    })();
    static y = A.#x;
  }
  return 0;
}
