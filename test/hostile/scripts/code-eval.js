// ends: (EvalError|ReferenceError|TypeError|SyntaxError)
function process_message() {
  eval('1');
  for (;;);
  return 0;
}
