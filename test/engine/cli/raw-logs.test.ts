import { expect, it } from 'vitest';
import { formOf } from '../../../engine/cli/input-form.ts';
import { fileOf, sluicebox } from './run-cli.ts';

it.each([
  ['{"Uuid":"0f6a1c2e-1111-4222-8333-944455556666","Timestamp":0}\n', 'json'],
  ['\n  {"timer":"5"}\n', 'json'],
  ['{"Payload":"cut', 'json'],
  ['\uFEFF{"Payload":"a"}\r\n', 'json'],
  ['{}\n', 'json'],
  ['', 'json'],
  ['{"Timestamp":"2024-01-01","Level":"Error","MessageTemplate":"x"}\n', 'log'],
  ['{"msg":"cut', 'log'],
  ['GET / 200\n', 'log'],
  ['[1]\n', 'log'],
  ['junk \x1e\x02', 'protobuf'],
])('the form of %j is %s', (text, form) => expect(formOf(Buffer.from(text))).toBe(form));

it('tells messages in UTF-16', () => expect(formOf(Buffer.from('\uFEFF{"Payload":"a"}\n', 'utf16le'))).toBe('json'));

const LOG = fileOf(
  'app.log',
  ['error', 'info', 'error'].map((level, i) => `${JSON.stringify({ time: `2024-01-01T00:00:0${i}Z`, level, msg: `m${i}` })}\n`).join(''),
);
const DECODED = (await sluicebox(['decode', '-q', LOG])).out;

it.each<[string[], string]>([
  [['match', '-c', 'level:error'], '2\n'],
  [['cat', '--tail=1', '--match=level:error', '--to=json'], '"Payload":"m2"'],
  [['encode', 'plain_text'], 'm1'],
  [['filter', 'message_schema'], 'logfile'],
])('%j takes a log as it takes its messages', async (args, said) => {
  const ofLog = await sluicebox([...args, LOG]);
  const ofMessages = await sluicebox(args.includes('cat') ? [...args, fileOf('messages.json', DECODED)] : [...args, '-'], DECODED);
  const plain = (text: string): string => text.replace(/"(?:Uuid|Timestamp)":"[^"]+"/g, '');
  expect([ofLog.code, plain(ofLog.out)]).toEqual([0, plain(ofMessages.out)]);
  expect(ofLog.out).toContain(said);
  expect(ofLog.err).toContain('app.log: decoded by json_lines');
  expect(ofMessages.err).toBe('');
});

it('says what no decoder took, and that a decoder was not asked with --each', async () => {
  const mixed = fileOf('mixed.log', `${'{"time":"2024-01-01T00:00:00Z","level":"info","msg":"a"}\n'.repeat(9)}no JSON\n`);
  const { code, err } = await sluicebox(['match', '-c', 'decode_error:*', mixed]);
  expect(code).toBe(0);
  expect(err).toContain('mixed.log');
  expect((await sluicebox(['encode', '--each', 'plain_text', LOG])).lines()).toHaveLength(3);
});
