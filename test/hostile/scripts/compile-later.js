// ends: instruction_limit
function process_message() {
  compile_function([], 'for (;;);')();
  return 0;
}
