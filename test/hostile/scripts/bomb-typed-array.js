// ends: (memory_limit|Array buffer allocation failed|Invalid typed array length)
function process_message() {
  const a = [];
  for (;;) a.push(new Float64Array(1 << 20).fill(1));
  return 0;
}
