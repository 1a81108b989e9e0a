// ends: TypeError
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  w.block().cut(0);
  return 0;
}
