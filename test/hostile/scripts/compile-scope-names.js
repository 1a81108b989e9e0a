// ends: (not an identifier|no identifier|strict mode|binding|Binding)
// at: load
compile_function([], 'return 1', { eval: 1, arguments: 2 });
function process_message() {
  return 0;
}
