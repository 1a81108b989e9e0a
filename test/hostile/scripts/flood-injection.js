// ends: exceeded max_process_inject of 1
function process_message() {
  for (;;) inject_message({ Payload: 'x' });
  return 0;
}
