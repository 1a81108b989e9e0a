// ends: (^exceeded memory_limit of 8388608( in .*)?$|Invalid typed array length)
function process_message() {
  const a = [];
  for (;;) a.push(new Float64Array(1 << 20).fill(1));
  return 0;
}
