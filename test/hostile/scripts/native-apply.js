// ends: ^exceeded the time limit of 1500 ms$
function process_message() {
  return Math.max.apply(null, { length: 1e8 }) ? 1 : 2;
}
