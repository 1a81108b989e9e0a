// ends: exceeded output_limit
function process_message() {
  inject_message({ Fields: { a: new Array(100000).fill('x') } });
  return 0;
}
