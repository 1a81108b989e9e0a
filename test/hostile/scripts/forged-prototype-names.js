// ends: returned 1$
function process_message() {
  inject_message({ Fields: JSON.parse('{"__proto__":1,"constructor":2}') });
  return 1;
}
