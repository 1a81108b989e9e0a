// ends: (memory_limit|Array buffer allocation failed)
function process_message() {
  const a = [];
  for (;;) a.push(new ArrayBuffer(1 << 20));
  return 0;
}
