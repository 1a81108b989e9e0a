// ends: (nested too deeply|Not enough stack space)
// at: load
compile_function([], '('.repeat(1e5));
function process_message() {
  return 0;
}
