// ends: are reserved
// at: load
compile_function([], '\\u0024__n = 1e9; for (;;);');
function process_message() {
  return 0;
}
