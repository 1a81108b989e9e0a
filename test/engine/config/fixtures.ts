import { parseConfig } from '../../../engine/config/load.ts';
import { formatProblem } from '../../../engine/config/problems.ts';

export const bundled = { decoder: ['nginx_access', 'rsyslog'], filter: ['http_status'], encoder: ['alert'] };

export function problemsOf(text: string, environment = {}): string[] {
  return parseConfig(text, 'p.toml', { bundled, environment }).problems.map(formatProblem);
}
