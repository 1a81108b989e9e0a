// ends: ^exceeded instruction_limit
function process_message() {
  a: {
    b: do {
      continue b;
    } while (true);
  }
  return 0;
}
