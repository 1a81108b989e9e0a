// ends: (exceeded instruction_limit|TypeError|returned 1)
// kind: decoder
function process_message() {
  Object.defineProperty(payload_span(), 'text', {
    set() {
      for (;;);
    },
  });
  payload_span();
  return 1;
}
