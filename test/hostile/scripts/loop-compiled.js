// ends: exceeded instruction_limit
const f = compile_function([], 'for (;;);');
function process_message() {
  f();
  return 0;
}
