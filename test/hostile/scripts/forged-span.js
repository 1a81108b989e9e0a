// ends: outside of the payload
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'slice' }]);
function process_message() {
  const span = payload_span();
  span.text = 'x'.repeat(1000);
  w.slice(0, 500, 900);
  return 0;
}
