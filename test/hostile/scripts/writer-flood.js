// ends: ((memory_limit|instruction_limit)|time limit)
// kind: decoder
// rows: 2000
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  for (let i = 0; i < 200; i++) {
    w.text(0, 'x'.repeat(20000) + i);
    w.inject();
  }
  return 0;
}
