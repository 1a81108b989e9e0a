// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
function process_message() {
  return 'a'.repeat(1e7).replace(/(a)(a)?/g, '$1$2$1$2$&$&$&$&').length;
}
