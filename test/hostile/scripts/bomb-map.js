// ends: exceeded memory_limit
// limits: {"instructions":0}
function process_message() {
  const m = new Map();
  for (let i = 0; ; i++) m.set(i, [i]);
  return 0;
}
