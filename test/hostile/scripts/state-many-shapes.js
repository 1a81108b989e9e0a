// ends: ((exceeded instruction_limit|memory_limit)|time limit)
function process_message() {
  for (let i = 0; ; i++) globalThis['g' + i] = { [i]: [i] };
}
