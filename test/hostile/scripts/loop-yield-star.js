// ends: (exceeded instruction_limit|Maximum call stack|memory_limit|time limit)
function* self() {
  yield* self();
}
function process_message() {
  for (;;)
    try {
      self().next();
    } catch {}
}
