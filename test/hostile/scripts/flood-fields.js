// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
// at: load
const f = {};
for (let i = 0; i < 2e5; i++) f['f' + i] = 1;
function process_message() {
  inject_message({ Fields: f });
  return 0;
}
