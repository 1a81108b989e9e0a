// ends: field a has a value of type undefined$
function process_message() {
  inject_message({ Fields: { a: new Array(2 ** 32 - 1) } });
  return 0;
}
