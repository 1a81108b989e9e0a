// ends: Maximum call stack size exceeded$
let a = [];
for (let i = 0; i < 1e5; i++) a = [a];
function process_message() {
  return String(a).length + 1;
}
