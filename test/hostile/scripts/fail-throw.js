// ends: boom
function process_message() {
  throw new Error('boom');
  return 0;
}
