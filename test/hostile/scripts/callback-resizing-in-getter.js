// ends: returned 1$
function process_message() {
  const b = new ArrayBuffer(64, { maxByteLength: 64 });
  const v = new Uint8Array(b);
  inject_message({
    get Type() {
      b.resize(0);
      return 't';
    },
    Fields: {
      v: {
        value: v,
        get representation() {
          b.resize(0);
          return '';
        },
      },
    },
  });
  return 1;
}
