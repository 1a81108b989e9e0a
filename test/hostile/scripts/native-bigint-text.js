// ends: (time limit|memory_limit|Maximum BigInt)
function process_message() {
  let b = 7n ** 3000000n;
  for (;;) String(b);
  return 0;
}
