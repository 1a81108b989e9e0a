import { expect, it } from 'vitest';
import { natsInput } from '../../../engine/inputs/nats/nats-input.ts';
import { natsOutput } from '../../../engine/outputs/nats/nats-output.ts';

const wrong = (parameters: object): string[] => {
  const { error } = natsInput.schema.safeParse({ type: 'NatsInput', ...parameters });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
};

it.each<[parameters: object, wrong: string[]]>([
  [{ stream: 'LOGS_2', durable: 'lake-1', subject: 'logs.web1.*.>' }, []],
  [{ stream: 'LOGS', durable: '', subject: '>' }, []],
  [{ subject: 'logs.a>b.c' }, []],
  [{ stream: '' }, ['stream Too small: expected string to have >=1 characters']],
  [{ stream: 'logs.>' }, ['stream must be a name without dots and blanks']],
  [{ stream: 'my logs' }, ['stream must be a name without dots and blanks']],
  [{ durable: 'a.b' }, ['durable must be a name without dots and blanks']],
  [{ subject: 'logs.>.web1' }, ['subject must have > at its end only']],
  [{ subject: 'logs..web1' }, ['subject must be names with dots between them']],
])('a NatsInput with %j', (parameters, expected) => {
  expect(wrong(parameters)).toEqual(expected);
});

it('a NatsOutput has the name of a stream, too', () => {
  const parse = (stream: string) => natsOutput.schema.safeParse({ type: 'NatsOutput', message_matcher: 'TRUE', stream });
  expect([parse('LOGS').success, parse('logs.a').success]).toEqual([true, false]);
});
