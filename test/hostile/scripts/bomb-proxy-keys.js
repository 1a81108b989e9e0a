// ends: ^exceeded (memory_limit of 8388608|the time limit of 1000 ms)( in .*)?$
const p = new Proxy(
  {},
  {
    ownKeys: () =>
      Array(1e7)
        .fill()
        .map((_, i) => 'a' + i),
  },
);
function process_message() {
  for (const x in p);
  return 0;
}
