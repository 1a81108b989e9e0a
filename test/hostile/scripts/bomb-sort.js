// ends: (memory_limit|time limit|instruction_limit)
// limits: {"instructions":0}
function process_message() {
  const a = Array.from({ length: 500000 }, (_, i) => 'k' + ((i * 7919) % 500000));
  for (;;) a.slice().sort();
  return 0;
}
