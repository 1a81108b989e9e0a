/** Writes a line for each disk that is nearly full, and at the end how many there were. */
const LIMIT = Number(read_config('limit') ?? 90);
let full = 0;

function process_message() {
  const used = parseInt(read_message('Fields[Capacity]'), 10);
  if (Number.isNaN(used)) return [-1, 'no capacity'];
  if (used < LIMIT) return 0;
  full++;
  write_output('disk ', read_message('Fields[Mounted]'), ' is ', used, ' % full\n');
  return 0;
}

function timer_event() {
  write_output(full, ' of the disks are nearly full\n');
}
