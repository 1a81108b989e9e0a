// ends: with statements are not available
// at: load
function process_message() {
  with (new Proxy({}, { has: () => true, get: () => 1e9 })) for (;;);
  return 0;
}
