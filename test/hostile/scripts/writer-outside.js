// ends: only in process_message
// at: load
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
w.text(0, 'x');
function process_message() {
  return 0;
}
