// ends: Maximum call stack size exceeded$
const o = {
  toPayload() {
    add_to_payload(o);
    return 'x';
  },
};
function process_message() {
  add_to_payload(o);
  return 0;
}
