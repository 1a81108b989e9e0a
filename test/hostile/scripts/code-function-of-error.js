// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  Object.getPrototypeOf(Object.getPrototypeOf(TypeError)).constructor('return 1')();
  for (;;);
  return 0;
}
