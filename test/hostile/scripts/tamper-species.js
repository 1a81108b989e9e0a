// ends: ^exceeded instruction_limit
class A extends Array {
  static get [Symbol.species]() {
    for (;;);
  }
}
function process_message() {
  inject_message({ Fields: { a: new A(1, 2, 3) } });
  new A(1).map((x) => x);
  return 0;
}
