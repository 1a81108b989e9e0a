// ends: exceeded max_process_inject
function process_message() {
  inject_message({
    get Payload() {
      inject_message({});
      return 'x';
    },
  });
  return 0;
}
