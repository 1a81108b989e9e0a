// ends: await is not available
// at: load
await 0;
export function process_message() {
  return 0;
}
