// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  (0, globalThis.eval)('1');
  for (;;);
  return 0;
}
