// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
// at: load
let f = () => 0;
for (let i = 0; i < 2e5; i++) f = f.bind(null);
globalThis.process_message = f;
