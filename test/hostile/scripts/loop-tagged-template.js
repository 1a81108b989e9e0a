// ends: ((exceeded instruction_limit|Maximum call stack)|time limit)
const tag = () => tag`${tag``}`;
function process_message() {
  for (;;)
    try {
      tag``;
    } catch {}
}
