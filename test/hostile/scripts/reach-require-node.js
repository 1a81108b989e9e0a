// ends: (TypeError|ReferenceError|EvalError|not found|is not a function)
function process_message() {
  require('node:child_process').execSync('true');
  for (;;);
  return 0;
}
