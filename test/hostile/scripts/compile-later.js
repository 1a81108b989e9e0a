// ends: only while the script is loading
function process_message() {
  compile_function([], 'for (;;);')();
  return 0;
}
