// ends: exceeded instruction_limit
function process_message() {
  if (true) function inner() { return 1; }
  label: function other() {}
  for (var i = 0 in { a: 1 });
  while (inner()) i++;
}
