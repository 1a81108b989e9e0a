// ends: (outside of the payload|RangeError|TypeError)
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'slice' }]);
function process_message() {
  payload_span();
  w.slice(0, NaN, NaN);
  return 0;
}
