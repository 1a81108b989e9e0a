// ends: outside of the payload
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'slice' }]);
function process_message() {
  payload_span();
  w.slice(0, -1, 2);
  return 0;
}
