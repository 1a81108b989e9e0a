// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  console.log('x');
  for (;;);
  return 0;
}
