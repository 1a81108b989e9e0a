// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  require('/etc/passwd');
  for (;;);
  return 0;
}
