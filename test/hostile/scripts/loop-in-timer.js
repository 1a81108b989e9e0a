// ends: exceeded instruction_limit
// at: timer
function process_message() {

  return 0;
}
function timer_event() {
  for (;;);
}
