// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  Function('return 1')();
  for (;;);
  return 0;
}
