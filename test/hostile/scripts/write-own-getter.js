// kind: output
// ends: Maximum call stack size exceeded|exceeded instruction_limit
const part = {
  get toPayload() {
    write_output(part);
    return () => 'x';
  },
};
function process_message() {
  write_output(part);
  return 0;
}
