// ends: TypeError
// kind: decoder
const w = message_writer([{ name: 'a', kind: 'text' }]);
function process_message() {
  w.inject.call({ __proto__: Object.getPrototypeOf(w) });
  return 0;
}
