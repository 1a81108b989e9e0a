// ends: ^exceeded the time limit of 500 ms( in .*)?$
const o = {
  get x() {
    try {
      return o.x;
    } catch {
      return o.x;
    }
  },
};
function process_message() {
  return o.x;
}
