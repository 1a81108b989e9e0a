import { expect, it } from 'vitest';
import { TypedText } from '../../../electron/main/typed-text.ts';

const ENTER = 'Enter';
const plain = { type: 'keyDown', control: false, meta: false, alt: false } as const;
const keys = (text: string): string[] => text.split('');

it.each<[what: string, pressed: readonly string[], text: string, has: boolean]>([
  ['all of it, and Enter', [...keys('/var/log'), ENTER], '/var/log', true],
  ['Enter once more', [...keys('/var/log'), ENTER, ENTER], '/var/log', true],
  ['with a mistake', [...keys('/vax'), 'Backspace', 'Shift', ...keys('R'), ENTER], '/vaR', true],
  ['after another text', [...keys('open'), ENTER, ...keys('/a'), ENTER], '/a', true],
  ['after Escape', [...keys('x'), 'Escape', ...keys('/a'), ENTER], '/a', true],
  ['with Tab', [...keys('/v'), 'Tab', ...keys('log'), ENTER], '/var/log', true],
  ['with Tab for another text', [...keys('/x'), 'Tab', ENTER], '/var/', false],
  ['without Enter', keys('/var/log'), '/var/log', false],
  ['only its beginning', [...keys('/var/log'), ENTER], '/var', false],
  ['more than it', [...keys('/var'), ENTER], '/var/log', false],
  ['the caret was moved', [...keys('/a'), 'ArrowLeft', ...keys('/b'), ENTER], '/a/b', false],
  ['nothing', [ENTER], '', false],
])('%s', (_what, pressed, text, has) => {
  const typed = new TypedText();
  for (const key of pressed) {
    typed.press({ ...plain, key });
    typed.offer('/v', ['/var/', '/var/lib/', '/v']);
  }
  expect(typed.has(text)).toBe(has);
});

it('knows nothing of what was pasted, and takes no key twice', () => {
  const typed = new TypedText();
  typed.press({ ...plain, key: '/' });
  typed.press({ ...plain, key: 'v', control: true });
  typed.press({ ...plain, key: 'a' });
  typed.press({ ...plain, type: 'keyUp', key: 'a' });
  typed.press({ ...plain, key: ENTER });
  expect([typed.has('/a'), typed.has('/va'), typed.has('a')]).toEqual([false, false, true]);
});
