import { expect, it } from 'vitest';
import { completed } from '../../../engine/api/completion.ts';

it.each([
  ['/v', ['/var/', '/vault/'], '/va'],
  ['/v', ['/v', '/var/'], '/var/'],
  ['/x', [], '/x'],
])('%s becomes the common start of %j', (text, offers, taken) => expect(completed(text, offers)).toBe(taken));
