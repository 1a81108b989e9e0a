import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadConfig, parseConfig } from '../../../engine/config/load.ts';
import { formatProblem } from '../../../engine/config/problems.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
mkdirSync(at('credentials'));
for (const [name, text, mode] of [
  ['mail', 's3cret\n', 0o600],
  ['open', 's3cret\n', 0o644],
  ['empty', '\n', 0o600],
  ['credentials/mail', 'of systemd', 0o444],
  ['credentials/only', 'only there', 0o444],
] as const) {
  writeFileSync(at(name), text);
  chmodSync(at(name), mode);
}

const MAIL =
  '[mail]\ntype = "SmtpOutput"\nsend_to = ["a@example.org"]\nmessage_matcher = "TRUE"\nauth = "Plain"\nuser = "u"\nencoder = "text"\n';
const WEB = '[web]\ntype = "HttpOutput"\naddress = "http://127.0.0.1:1"\nmessage_matcher = "TRUE"\nencoder = "text"\n';

async function loaded(text: string, environment: Record<string, string> = {}) {
  writeFileSync(at('c.toml'), text);
  const { config, problems, watched } = await loadConfig(at('c.toml'), { environment });
  return {
    outputs: config.outputs,
    inputs: config.inputs,
    problems: problems.map((one) => formatProblem(one).replaceAll(folder, '~')),
    watched,
  };
}

it('a secret is the text of its file, without the line end', async () => {
  const { outputs, problems, watched } = await loaded(`${MAIL}password_file = "mail"\n`);
  expect(problems).toEqual([]);
  expect(outputs[0]).toMatchObject({ password: 's3cret' });
  expect(watched).toEqual([at('mail')]);
});

it.each([
  ['mail', 'of systemd'],
  ['only', 'only there'],
])('a credential of systemd called %s comes before files', async (name, password) => {
  const { outputs } = await loaded(`${MAIL}password_file = "${name}"\n`, { CREDENTIALS_DIRECTORY: at('credentials') });
  expect(outputs[0]).toMatchObject({ password });
});

it('is read in tables, too', async () => {
  const { outputs, problems } = await loaded(`${WEB}[web.headers]\nAuthorization_file = "mail"\nAccept = ["a"]\n`);
  expect(problems).toEqual([]);
  expect(outputs[0]).toMatchObject({ headers: { Authorization: ['s3cret'], Accept: ['a'] } });
  const control = '[in]\ntype = "TcpInput"\naddress = "127.0.0.1:1"\nsplitter = "framing"\n[in.signers.ops_1]\nhmac_key_file = "mail"\n';
  expect((await loaded(control)).inputs[0]).toMatchObject({ signers: { ops_1: { hmac_key: 's3cret' } } });
});

it.each([
  ['password_file = "none"', '~/none cannot be read: '],
  ['password_file = "empty"', '~/empty is empty'],
  ['password_file = 5', 'must be the path of a file, in quotes'],
  ['password_file = "mail"\npassword = "x"', 'needs no password beside it'],
])('%s is refused', async (line, text) => {
  const { outputs, problems } = await loaded(`${MAIL}${line}\n`);
  expect(problems).toEqual([expect.stringContaining(`~/c.toml:8: [mail] password_file: ${text}`)]);
  expect(outputs).toEqual([]);
});

it.skipIf(process.platform === 'win32')('a file that everybody may read is refused', async () => {
  const { problems } = await loaded(`${MAIL}password_file = "open"\n`);
  expect(problems).toEqual([
    '~/c.toml:8: [mail] password_file: ~/open cannot be read: everybody on this machine may use it; chmod o= ~/open ends that',
  ]);
});

it('no problem shows a secret', async () => {
  const wrong = '[otlp]\ntype = "OtlpInput"\napi_key_file = "mail"\npassword_file = "mail"\nnothing.password_file = "mail"\n';
  const { problems } = await loaded(
    `${MAIL}port = 1\npassword_file = "mail"\nsend_interval = "x"\n${wrong}[x.headers]\nAuthorization_file = "mail"\n`,
  );
  expect(problems.length).toBeGreaterThan(2);
  expect(problems.join('\n')).not.toContain('s3cret');
});

it('a workspace reads no files for secrets', () => {
  const { problems } = parseConfig(`${MAIL}password_file = "${at('mail')}"\n`, at('w.sluicebox'));
  expect(problems.map(({ key, text }) => `${key} ${text}`)).toEqual(['password_file is not a parameter of this section']);
});
