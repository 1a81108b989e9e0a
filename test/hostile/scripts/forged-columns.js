// ends: exceeded instruction_limit
// kind: decoder
// limits: {"memory":67108864}
function process_message() {
  for (let i = 0; ; i++) inject_message({ Fields: { ['f' + i]: i } });
  return 0;
}
