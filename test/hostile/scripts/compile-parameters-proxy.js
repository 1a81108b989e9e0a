// ends: (exceeded instruction_limit|time limit)
// at: load
compile_function(new Proxy([], { get: (_, key) => (key === 'length' ? 1e9 : 'a') }), '');
function process_message() {
  return 0;
}
