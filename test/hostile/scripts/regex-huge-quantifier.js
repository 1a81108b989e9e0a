// ends: ^exceeded the time limit of 500 ms( in .*)?$
function process_message() {
  return new RegExp('(?:a{1000}){1000}'.repeat(20)).test('a'.repeat(1e6)) ? 1 : 2;
}
