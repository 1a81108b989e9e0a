// ends: exceeded instruction_limit
function process_message() {
  +{
    valueOf() {
      for (;;);
    },
  };
  return 0;
}
