// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
// at: load
let p = {};
for (let i = 0; i < 1e5; i++) p = new Proxy(p, {});
function process_message() {
  return p.x;
}
