// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  require.constructor('return process')();
  for (;;);
  return 0;
}
