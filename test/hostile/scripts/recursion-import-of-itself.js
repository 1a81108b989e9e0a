// ends: Maximum call stack size exceeded$
import { process_message as p } from './recursion-import-of-itself.js';
export function process_message() {
  return p();
}
