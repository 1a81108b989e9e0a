// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
globalThis.kept = new Set();
function tag(s) {
  kept.add(s);
}
function process_message() {
  for (;;) {
    tag`a${1}b`;
    kept.add(Symbol('x'));
  }
}
