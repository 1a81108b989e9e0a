// ends: boom
// at: timer
function process_message() {

  return 0;
}
function timer_event() {
  throw new Error('boom');
}
