// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  Object.getPrototypeOf(function* () {}).constructor('yield 1')().next();
  for (;;);
  return 0;
}
