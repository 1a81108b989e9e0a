// ends: exceeded the time limit
function process_message() {
  /^(a+)+$/iu.test('a'.repeat(60) + 'b');
  return 0;
}
