// ends: exceeded the time limit
// limits: {"callMs":300}
function process_message() {
  /^(a+)+$/iu.test('a'.repeat(60) + 'b');
  return 0;
}
