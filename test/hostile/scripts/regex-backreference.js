// ends: ^exceeded the time limit of 500 ms( in .*)?$
function process_message() {
  return /^(a*)*\1$/.test('a'.repeat(35) + 'b') ? 1 : 2;
}
