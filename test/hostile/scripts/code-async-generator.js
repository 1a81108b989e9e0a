// ends: async functions are not available
// at: load
async function* more() {
  for (;;) yield 1;
}
function process_message() {
  more().next();
  return 0;
}
