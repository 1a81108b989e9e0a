// ends: (outside of the payload|RangeError|no such column)
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'slice' }]);
function process_message() {
  payload_span();
  w.slice(0, 0, 2 ** 31);
  return 0;
}
