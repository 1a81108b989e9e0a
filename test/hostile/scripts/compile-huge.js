// ends: more than 1048576 characters
// at: load
compile_function([], 'a;'.repeat(3e6));
function process_message() {
  return 0;
}
