// ends: (exceeded instruction_limit|memory_limit|TypeError)
class A extends Array {
  static get [Symbol.species]() {
    for (;;);
  }
}
function process_message() {
  new A(1, 2).map((x) => x);
  return 0;
}
