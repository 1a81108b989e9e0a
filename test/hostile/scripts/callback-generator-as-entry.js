// ends: must return a number$
function* process_message() {
  for (;;) yield 0;
}
