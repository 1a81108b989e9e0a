// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
// limits: {"output":0}
function process_message() {
  inject_message({ Fields: { a: new Array(3e6).fill(1.5) } });
  return 1;
}
