// ends: TypeError
// kind: decoder
function process_message() {
  Object.freeze(payload_span());
  payload_span();
  return 0;
}
