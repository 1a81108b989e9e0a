// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  setTimeout(() => 1, 0);
  for (;;);
  return 0;
}
