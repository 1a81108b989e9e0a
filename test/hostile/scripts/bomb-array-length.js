// ends: (memory_limit|Invalid array length)
function process_message() {
  let a = [1];
  for (;;) a = a.concat(a);
  return 0;
}
