import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { Handshake, type ForwardLogin } from '../../../../engine/inputs/fluent/handshake.ts';
import { encodeMsgpack, MsgpackReader } from '../../../../engine/inputs/fluent/msgpack.ts';

const sha = (...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha512')).digest('hex');
const listOf = (bytes: Buffer): unknown[] => {
  const reader = new MsgpackReader(bytes);
  return Array.from({ length: reader.array() }, () => reader.value());
};
const text = (value: unknown): string => String(value);

/** The answer of a client that knows these. */
function shake(login: ForwardLogin, { key = 'k', user = '', password = '', word = 'PING', upper = false } = {}) {
  const handshake = new Handshake(login, 'server');
  const [helo, options] = listOf(handshake.hello);
  expect(text(helo)).toBe('HELO');
  const { nonce, auth } = Object.fromEntries(options as Map<string, Buffer>) as { nonce: Buffer; auth: Buffer };
  const digest = sha('salt', 'client', nonce, key);
  const given = [word, 'client', 'salt', upper ? digest.toUpperCase() : digest, user, sha(auth, user, password)];
  const { refusal, answer } = handshake.answer(encodeMsgpack(given));
  return {
    refusal,
    answer: listOf(answer).map((value) => (typeof value === 'boolean' ? value : text(value))),
    own: sha('salt', 'server', nonce, 'k'),
  };
}

const KEY: ForwardLogin = { sharedKey: 'k', users: new Map() };
const USERS: ForwardLogin = {
  sharedKey: 'k',
  users: new Map([
    ['ann', 'pw'],
    ['bob', ''],
  ]),
};
const [NO_KEY, NO_USER] = ['the shared key is another one', 'the user or the password is wrong'];

it('shows in turn that it knows the key', () => {
  const { refusal, answer, own } = shake(KEY);
  expect(refusal).toBe('');
  expect(answer).toEqual(['PONG', true, '', 'server', own]);
});

it.each([
  [KEY, { upper: true }, ''],
  [KEY, { key: 'other' }, NO_KEY],
  [KEY, { word: 'PONG' }, NO_KEY],
  [USERS, { user: 'ann', password: 'pw' }, ''],
  [USERS, { user: 'ann', password: 'other' }, NO_USER],
  [USERS, { user: 'eve', password: '' }, NO_USER],
  [USERS, {}, NO_USER],
  [USERS, { key: 'other', user: 'ann', password: 'pw' }, NO_KEY],
])('case %#', (login, client, refusal) => {
  const { refusal: found, answer } = shake(login, client);
  expect(found).toBe(refusal);
  if (refusal !== '') expect(answer).toEqual(['PONG', false, refusal, 'server', '']);
});

it.each<[string[]]>([[[]], [['PING']], [['PING', 'client', 'salt']]])('an answer of too little is refused: %j', (list) => {
  expect(new Handshake(KEY, 'server').answer(encodeMsgpack(list)).refusal).toBe(NO_KEY);
});

it('each connection has other numbers', () => {
  const [one, two] = [new Handshake(USERS, 's').hello, new Handshake(USERS, 's').hello];
  expect(one.equals(two)).toBe(false);
});
