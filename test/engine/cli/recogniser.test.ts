import { expect, it } from 'vitest';
import { commandWords } from '../../../engine/cli/recogniser.ts';

it.each([
  ['json_lines', {}, 'json_lines'],
  ['nginx_access', { log_format: '$remote_addr "x"' }, `nginx_access -s 'log_format=$remote_addr "x"'`],
  ['a', { b: true, n: 5 }, 'a -s b=true -s n=5'],
  ['a', { q: "it's" }, `a -s 'q=it'\\''s'`],
])('%s with %j can be typed', (name, config, words) => expect(commandWords(name, config)).toBe(words));
