// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
function process_message() {
  const a = [];
  for (;;) a.push(new ArrayBuffer(1 << 20));
  return 0;
}
