// ends: ((exceeded|TypeError)|time limit)
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  const forged = new w.constructor([{ name: 'b', kind: 'text' }]);
  for (;;) {
    forged.text(0, 'x');
    forged.inject();
  }
}
