// ends: ^exceeded instruction_limit
function process_message() {
  const [a, ...b] = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) };
  return 0;
}
