// ends: RangeError: inject_message: exceeded output_limit of 64512$
function process_message() {
  let s = '\u0416';
  for (let i = 0; i < 28; i++) s += s;
  inject_message({ Type: s });
  return 0;
}
