// ends: null
function process_message() {
  throw null;
  return 0;
}
