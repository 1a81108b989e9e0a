import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NEW_DECODER } from '../../../../../../../renderer/src/lib/sources/new-decoder.ts';
import { NEW_FILTER } from '../../../../../../../renderer/src/lib/sources/new-filter.ts';
import { TypeService } from '../../../../../../../renderer/src/views/scripts/script/types/service.ts';
import { TYPE_SOURCES } from '../../../../../../../renderer/src/views/scripts/script/types/sources.ts';

const ROOT = join(import.meta.dirname, '../../../../../../..');

describe('the types of scripts', () => {
  const typed = new TypeService(TYPE_SOURCES, true);
  const plain = new TypeService(TYPE_SOURCES, false);
  const texts = (service: TypeService, text: string): string[] => {
    service.update(text);
    return service.problems().map(({ from, to, text: said, severity }) => `${severity} ${text.slice(from, to)}: ${said}`);
  };

  test('a misspelt function is wrong before it runs, in both languages', () => {
    const text = 'function process_message() {\n  return read_mesage("Type") === "x" ? 0 : -1;\n}\n';
    const said = "error read_mesage: Cannot find name 'read_mesage'. Did you mean 'read_message'?";
    expect([texts(typed, text), texts(plain, text)]).toEqual([[said], [said]]);
  });

  test('a name on globalThis is one', () => {
    const text = 'globalThis.n = 0;\nfunction process_message() {\n  n++;\n  return m;\n}\n';
    const said = "error m: Cannot find name 'm'.";
    expect([texts(typed, text), texts(plain, text)]).toEqual([[said], [said]]);
  });

  test('wrong arguments are wrong, and what JavaScript allows is a warning there', () => {
    expect(texts(typed, 'inject_payload();')).toEqual([]);
    expect(texts(typed, 'read_config();')).toEqual(['error read_config: Expected 1 arguments, but got 0.']);
    expect(texts(plain, 'read_config(1);')).toEqual([expect.stringMatching(/^warning 1: Argument of type 'number'/)]);
  });

  test('what is said of a name breaks where paragraphs and lists do, not where its source does', () => {
    const text = '/** One\n * sentence.\n *\n * - a list\n * - of two\n */\nfunction named() {}\n';
    typed.update(text);
    expect(typed.about(text.indexOf('named'))?.doc).toBe('One sentence.\n\n- a list\n- of two');
  });

  test('modules are known by their names, and others are left to the trial', () => {
    expect(texts(typed, "import { makegraph } from 'graph';\n")).toEqual([expect.stringContaining('has no exported member')]);
    expect(texts(typed, "import { anything } from 'mine';\nimport { x } from './bundled-1/base/x.ts';\nanything(x);\n")).toEqual([]);
    expect(texts(plain, "const circular_buffer = require('circular_buffer');\ncircular_buffer.nothing();\n")).toHaveLength(1);
    expect(texts(plain, "const mine = require('mine');\nmine.anything();\n")).toEqual([]);
  });

  test.each(['filters/http_status.ts', 'filters/field_graph.ts', 'decoders/syslog.ts', 'decoders/json_lines.ts'])(
    '%s has no mistake',
    (name) => {
      // As the window copies it: modules by name.
      const text = readFileSync(join(ROOT, 'plugins', name), 'utf8').replaceAll(/from '\.\.\/modules\/(\w+)\.ts'/g, "from '$1'");
      expect(texts(typed, text)).toEqual([]);
    },
  );

  test('neither has a new script', () => {
    expect([texts(typed, NEW_FILTER), texts(typed, NEW_DECODER)]).toEqual([[], []]);
  });

  test('completion knows the interface, the script’s own names, and members', () => {
    const named = (text: string): string[] => {
      typed.update(text.replace('|', ''));
      return typed.completions(text.indexOf('|')).map(({ name }) => name);
    };
    expect(named('const mine = 1;\nrea|')).toEqual(expect.arrayContaining(['mine', 'read_message', 'read_config']));
    expect(named("import { CircularBuffer } from 'circular_buffer';\nlet b: CircularBuffer;\nb.|")).toContain('set');
    expect(named('inject_message({ Ti| })')).toContain('Timestamp');
    expect(typed.details(20, 'nothing')).toBeNull();
    typed.update('rea');
    expect(typed.details(3, 'read_config')).toMatchObject({ signature: expect.stringContaining('read_config(name: string)') as string });
  });

  test('hover shows the declaration and the comment, a call its arguments', () => {
    typed.update("add_to_payload('a');\nread_config('x', );");
    expect(typed.about(3)).toMatchObject({ from: 0, to: 14, signature: expect.stringContaining('add_to_payload') as string });
    expect(typed.about(3)?.doc).not.toBe('');
    expect(typed.call(16)).toMatchObject({ before: expect.stringContaining('add_to_payload(') as string });
    expect(typed.call(0)).toBeNull();
    expect(typed.about(20)).toBeNull();
  });
});
