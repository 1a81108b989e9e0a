// ends: boom
function process_message() {
  throw 'boom';
  return 0;
}
