// ends: (memory_limit|time limit|Maximum BigInt)
function process_message() {
  let b = 3n;
  for (;;) b = b * b;
  return 0;
}
