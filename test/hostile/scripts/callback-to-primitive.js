// ends: ^exceeded instruction_limit
const bomb = {
  [Symbol.toPrimitive]() {
    for (;;);
  },
};
function process_message() {
  try {
    read_message('Type', bomb);
  } catch {}
  return `${bomb}`;
}
