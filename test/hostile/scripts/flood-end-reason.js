// ends: ^x+$
function process_message() {
  return [1, 'x'.repeat(1 << 28)];
}
