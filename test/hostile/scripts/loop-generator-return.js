// ends: ^exceeded instruction_limit
function process_message() {
  function* g() {
    try {
      yield 1;
    } finally {
      for (;;);
    }
  }
  for (const x of g()) break;
  return 0;
}
