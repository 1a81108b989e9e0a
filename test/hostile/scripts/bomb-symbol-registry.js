// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  for (let i = 0; ; i++) Symbol.for('key' + i);
}
