// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  this.constructor.constructor('return process')();
  for (;;);
  return 0;
}
