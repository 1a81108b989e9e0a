// ends: exceeded output_limit
function process_message() {
  for (;;) add_to_payload('x'.repeat(100));
  return 0;
}
