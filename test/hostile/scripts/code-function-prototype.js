// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  Object.getPrototypeOf(read_message).constructor('return 1')();
  for (;;);
  return 0;
}
