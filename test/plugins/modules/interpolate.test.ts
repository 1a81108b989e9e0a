import { describe, expect, it } from 'vitest';
import { messageSeconds, systemSeconds, Template } from '../../../plugins/modules/interpolate.ts';
import { surround } from '../support/script_globals.ts';

const SECONDS = 1_614_949_679;
const MESSAGE = {
  Type: 'web',
  Hostname: 'box1',
  Uuid: '3f06af63-a93c-11e4-9797-00505690773f',
  Pid: 812,
  Payload: 'words',
  Timestamp: BigInt(SECONDS) * 1_000_000_000n + 250_000_000n,
  'Fields[status]': 404,
  'Fields[ok]': true,
  'Fields[big]': 9007199254740993n,
  'Fields[Type]': 'field',
  'Fields[%Y]': 'field',
};

describe('Template', () => {
  it.each<[template: string, text: string]>([
    ['', ''],
    ['words', 'words'],
    ['%{Type}-%{Hostname}', 'web-box1'],
    ['<%{Logger}>', '<>'],
    ['%{UUID}', '3f06af63-a93c-11e4-9797-00505690773f'],
    ['%{Pid} %{Severity}', '812 7'],
    ['%{status}/%{ok}', '404/true'],
    ['%{big}', '9007199254740993'],
    ['%{%Y.%m.%d}', '2021.03.05'],
    ['%{%Y}', 'field'],
    ['%{unknown} %{} %{', '%{unknown} %{} %{'],
    ['%{Payload}', '%{Payload}'],
    ['100%', '100%'],
  ])('%j', (template, text) => {
    surround({ message: MESSAGE });
    expect(new Template(template).text(SECONDS)).toBe(text);
  });

  it('stands for further headers', () => {
    surround({ message: MESSAGE });
    expect(new Template('%{Payload}', ['Payload']).text(0)).toBe('words');
  });

  it('is read anew for each message', () => {
    const template = new Template('%{Hostname} %{Pid} %{status}');
    surround({ message: MESSAGE });
    expect(template.text(0)).toBe('box1 812 404');
    surround();
    expect(template.text(0)).toBe(' 0 %{status}');
  });
});

describe('times', () => {
  it('are whole seconds of the message', () => {
    surround({ message: MESSAGE });
    expect(messageSeconds()).toBe(SECONDS);
    surround();
    expect(messageSeconds()).toBe(0);
  });

  it('are those of the system', () => {
    const before = Math.floor(Date.now() / 1000);
    const seconds = systemSeconds();
    expect(seconds).toBeGreaterThanOrEqual(before);
    expect(seconds).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
  });
});
