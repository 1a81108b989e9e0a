// ends: ^exceeded instruction_limit
function* n() {
  let i = 0;
  for (;;) yield i++;
}
function process_message() {
  return n()
    .filter(() => false)
    .next();
}
