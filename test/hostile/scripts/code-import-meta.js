// ends: import\.meta is not available
// at: load
export function process_message() {
  return import.meta.url;
}
