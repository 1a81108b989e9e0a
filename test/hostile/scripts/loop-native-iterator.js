// ends: ^exceeded instruction_limit
function process_message() {
  const it = {
    next: Object.bind(null, { done: false, value: 1 }),
    [Symbol.iterator]() {
      return this;
    },
  };
  for (const x of it);
  return 0;
}
