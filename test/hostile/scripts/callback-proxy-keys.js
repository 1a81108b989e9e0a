// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
const p = new Proxy(
  {},
  {
    ownKeys: () => Array.from({ length: 5e6 }, (_, i) => 'k' + i),
    getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }),
    get: () => 1,
  },
);
function process_message() {
  inject_message({ Fields: p });
  return 0;
}
