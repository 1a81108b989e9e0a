// ends: exceeded instruction_limit
function process_message() {
  const names = ['Array', 'Map', 'String', 'Number', 'Function', 'Object', 'Uint32Array', 'RegExp', 'Symbol', 'BigInt'];
  for (const name of names) {
    for (const key of Reflect.ownKeys(globalThis[name].prototype)) {
      try {
        globalThis[name].prototype[key] = () => {
          for (;;);
        };
      } catch {}
    }
  }
  JSON.stringify = JSON.parse = Math.floor = () => 'x';
  inject_message({ Payload: read_message('Payload'), Fields: { a: [1, 2], b: 'x' } });
  for (;;);
  return 0;
}
