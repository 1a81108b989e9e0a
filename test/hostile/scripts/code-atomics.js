// ends: (Atomics|SharedArrayBuffer) is not defined
function process_message() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return 0;
}
