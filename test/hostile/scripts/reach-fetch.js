// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  fetch('http://localhost');
  for (;;);
  return 0;
}
