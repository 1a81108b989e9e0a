// ends: more than 1048576 characters
// at: load
// limits: {"instructions":0}
const kept = [];
for (;;) kept.push(compile_function(['a'], 'return a'.padEnd(2000)));
