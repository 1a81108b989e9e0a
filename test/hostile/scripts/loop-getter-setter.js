// ends: exceeded instruction_limit
function process_message() {
  const o = {
    get a() {
      return (this.b = 1);
    },
    set b(v) {
      for (;;) v++;
    },
  };
  o.a;
  return 0;
}
