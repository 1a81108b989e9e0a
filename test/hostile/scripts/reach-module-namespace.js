// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  require('harmless').secret.constructor('return process')();
  for (;;);
  return 0;
}
