// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  return 'ab'.repeat(2e7).split(/(?:)/u).length;
}
