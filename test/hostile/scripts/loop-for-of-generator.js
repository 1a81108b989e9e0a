// ends: exceeded instruction_limit
function process_message() {
  function* forever() {
    for (;;) yield 1;
  }
  for (const one of forever()) one.toFixed();
  return 0;
}
