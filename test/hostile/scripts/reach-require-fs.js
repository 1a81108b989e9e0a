// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  require('fs').readFileSync('/etc/passwd');
  for (;;);
  return 0;
}
