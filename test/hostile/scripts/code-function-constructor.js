// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  (() => 1).constructor('return 1')();
  for (;;);
  return 0;
}
