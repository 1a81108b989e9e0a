// ends: exceeded instruction_limit
class A {
  static #loop() {
    for (;;);
  }
  get a() {
    return A.#loop();
  }
  b = this.a;
}
function process_message() {
  new A();
  return 0;
}
