// ends: ^process_message\(\) x+$
function process_message() {
  throw 'x'.repeat(1 << 28);
}
