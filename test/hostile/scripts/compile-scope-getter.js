// ends: exceeded instruction_limit
// at: load
compile_function([], 'return 1', {
  get a() {
    for (;;);
  },
});
function process_message() {
  return 0;
}
