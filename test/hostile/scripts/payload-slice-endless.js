// ends: outside of the payload
// kind: decoder
const w = message_writer([]);
function process_message() {
  payload_span();
  w.payloadSlice(0, Infinity);
  return 0;
}
