// ends: exceeded max_timer_inject of 10
// at: timer
function process_message() {

  return 0;
}
function timer_event() {
  for (;;) inject_message({});
}
