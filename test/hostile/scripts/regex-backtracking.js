// ends: exceeded the time limit
function process_message() {
  /^(a+)+\1$/.test('a'.repeat(60) + 'b');
  return 0;
}
