// ends: ^exceeded (the time limit of 1000 ms|memory_limit of 8388608)( in .*)?$
function process_message() {
  let x = 3n;
  for (let i = 0; i < 40; i++) x = x * x;
  return x > 0n ? 1 : 2;
}
