// ends: detached or out-of-bounds ArrayBuffer$
function process_message() {
  const v = new Uint8Array(64);
  v.buffer.transfer();
  inject_message(v);
  inject_message({ Fields: { v } });
  return 1;
}
