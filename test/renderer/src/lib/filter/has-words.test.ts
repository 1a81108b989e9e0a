import { expect, it } from 'vitest';
import { hasWords } from '../../../../../renderer/src/lib/filter/has-words.ts';

it.each([
  ['nginx_access Access logs of nginx', '', true],
  ['nginx_access Access logs of nginx', 'NGINX acc', true],
  ['nginx_access Access logs of nginx', ' access  nginx ', true],
  ['nginx_access Access logs of nginx', 'nginx error', false],
])('%j has the words %j: %j', (text, typed, has) => expect(hasWords(text, typed)).toBe(has));
