// ends: ^exceeded the time limit of 500 ms( in .*)?$
function process_message() {
  return /^(?i:(a+)+)$/.test('a'.repeat(40) + '!') ? 1 : 2;
}
