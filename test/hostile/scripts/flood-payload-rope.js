// ends: RangeError: add_to_payload: exceeded output_limit of 64512$
function process_message() {
  let s = 'x';
  for (let i = 0; i < 28; i++) s += s;
  add_to_payload(s);
  return 0;
}
