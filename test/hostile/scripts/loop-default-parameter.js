// ends: ((exceeded instruction_limit|Maximum call stack)|time limit)
const f = (a = f()) => a;
const g = (
  a = (() => {
    for (;;);
  })(),
) => a;
function process_message() {
  try {
    f();
  } catch {}
  g();
  return 0;
}
