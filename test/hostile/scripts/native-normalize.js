// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  let s = '\ufdfa'.repeat(1 << 20);
  for (;;) s = s.normalize('NFKD') + s;
}
