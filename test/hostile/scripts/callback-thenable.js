// ends: must return a number$
function process_message() {
  inject_message({
    Type: 't',
    then() {
      for (;;);
    },
  });
  return {
    then() {
      for (;;);
    },
  };
}
