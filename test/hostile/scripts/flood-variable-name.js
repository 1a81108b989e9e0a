// ends: ^exceeded memory_limit of 8388608( in .*| at .*)?$
function process_message() {
  let s = 'n';
  for (let i = 0; i < 28; i++) s += s;
  read_message('Fields[' + s + ']');
  return 1;
}
