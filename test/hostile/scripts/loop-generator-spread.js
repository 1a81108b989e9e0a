// ends: ^exceeded instruction_limit
function* g() {
  for (;;) yield 1;
}
function process_message() {
  return [...g()].length;
}
