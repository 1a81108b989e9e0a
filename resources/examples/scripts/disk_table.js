/** Makes a message of each line of a table such as that of `df -P`: the words of its first line name the fields. */
function process_message() {
  for (let table = read_input(); table !== null; table = read_input()) {
    const [head = '', ...rows] = table.trim().split('\n');
    const names = head.split(/\s+/);
    for (const row of rows) {
      const Fields = {};
      for (const [i, value] of row.split(/\s+/).entries()) Fields[names[i] ?? `column${i}`] = value;
      inject_message({ Type: 'disk', Payload: row, Fields });
    }
  }
  return 0;
}
