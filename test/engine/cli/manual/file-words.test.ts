import { expect, it } from 'vitest';
import { fileOf, sluicebox } from '../run-cli.ts';

const log = fileOf(
  'words.log',
  ['GET', 'POST', 'GET'].map((method, at) => `time=2026-11-20T10:00:0${at}Z level=info method=${method} mood="so so" n=${at}\n`).join(''),
);

it.each<[option: string, typed: string, words: string[]]>([
  ['--fields', 'm', ['method', 'mood']],
  ['--hide', 'n,m', ['n,method', 'n,mood']],
  ['--sort', 'n', ['n', 'n:desc']],
  ['-w', 'me', ['method:']],
  ['--where', 'method:', ['method:GET', 'method:POST']],
  ['-w', 'mood:', ['mood:"so so"']],
  ['-w', 'nothing:', []],
])('%s %j', async (option, typed, words) => {
  const { out, err } = await sluicebox(['completions', '--words', '--', option, typed, 'view', option, typed, log]);
  expect([err, out.split('\n').slice(0, -1)]).toEqual(['', words]);
});
