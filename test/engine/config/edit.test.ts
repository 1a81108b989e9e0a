import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { ConfigEditError, removeSection, setSection } from '../../../engine/config/edit.ts';
import type { SectionData } from '../../../engine/config/toml-write.ts';
import { layoutOf } from '../../../engine/config/toml-layout.ts';

const text = `# My workspace

[access]   # the shop
type = "FileInput"
paths = [
  "/var/log/a.log", # today
  "/var/log/b.log",
]
decoder = 'nginx'   # below

# Reads the shop's format.
[nginx]
type = "SandboxDecoder"
plugin = "nginx_access"

[nginx.config]
log_format = '$remote_addr "$request"'
  tz = "%ENV[TZ]"
# the end
`;
const environment = { TZ: 'Europe/Berlin' };
const access = { type: 'FileInput', paths: ['/var/log/a.log', '/var/log/b.log'], decoder: 'nginx' };
const nginx = { type: 'SandboxDecoder', plugin: 'nginx_access', config: { log_format: '$remote_addr "$request"', tz: 'Europe/Berlin' } };
const set = (name: string, values: SectionData, from = text): string => setSection(from, name, values, environment);

describe('setSection', () => {
  it('changes nothing when nothing changes', () => {
    expect(set('access', access)).toBe(text);
    expect(set('nginx', nginx)).toBe(text);
  });

  it.each<[string, string, SectionData, [string, string][]]>([
    ['replaces a value', 'access', { ...access, decoder: 'other' }, [["'nginx'   # below", '"other"   # below']]],
    ['replaces a list', 'access', { ...access, paths: ['/x'] }, [['[\n  "/var/log/a.log", # today\n  "/var/log/b.log",\n]', '["/x"]']]],
    ['adds a parameter', 'access', { ...access, follow: false }, [['# below\n', '# below\nfollow = false\n']]],
    ['drops a parameter', 'access', { type: access.type, paths: access.paths }, [["decoder = 'nginx'   # below\n", '']]],
    [
      'changes a subsection',
      'nginx',
      { ...nginx, config: { ...nginx.config, tz: 'UTC', n: 1.5 } },
      [['"%ENV[TZ]"\n', '"UTC"\n  n = 1.5\n']],
    ],
    [
      'drops a subsection',
      'nginx',
      { type: nginx.type, plugin: nginx.plugin },
      [['[nginx.config]\nlog_format = \'$remote_addr "$request"\'\n  tz = "%ENV[TZ]"\n', '']],
    ],
    [
      'adds a subsection',
      'access',
      { ...access, retries: { delay: '1s' } },
      [['# below\n', '# below\n\n[access.retries]\ndelay = "1s"\n']],
    ],
    [
      'adds a section',
      'errors',
      { type: 'LogOutput', message_matcher: 'Type =~ /"\\d/', config: { 'a b': "it's" } },
      [
        [
          '# the end\n',
          '# the end\n\n[errors]\ntype = "LogOutput"\nmessage_matcher = \'Type =~ /"\\d/\'\n\n[errors.config]\n"a b" = "it\'s"\n',
        ],
      ],
    ],
  ])('%s', (_what, name, values, changes) => {
    const expected = changes.reduce((result, [from, to]) => {
      expect(result).toContain(from);
      return result.replace(from, () => to);
    }, text);
    expect(set(name, values)).toBe(expected);
  });

  it.each<[string, string, SectionData, string]>([
    ['a text without its last line end', '[a]\nx = 1', { x: 1, y: 2 }, '[a]\nx = 1\ny = 2\n'],
    ['an empty text', '', { x: 1 }, '[a]\nx = 1\n'],
    ['line ends of Windows', '[a]\r\nx = 1\r\n', { x: 2, y: 3 }, '[a]\r\nx = 2\r\ny = 3\r\n'],
    ['dotted keys', '[a]\nc.x = 1\nz = 2\n', { c: { x: 1, y: 2 }, z: 2 }, '[a]\nc.x = 1\nz = 2\nc.y = 2\n'],
    ['dotted keys without a section', 'a.x = 1\nb.x = 2\n', { x: 1, y: 2 }, 'a.x = 1\na.y = 2\nb.x = 2\n'],
    ['a section of subsections only', '# top\n\n# c\n[a.c]\nx = 1\n', { y: 2, c: { x: 1 } }, '# top\n\n[a]\ny = 2\n\n# c\n[a.c]\nx = 1\n'],
    ['an inline table', 'a = { x = 1 }\n[b]\n', { x: 1, y: 2 }, '[b]\n\n[a]\nx = 1\ny = 2\n'],
    ['an inline subsection', '[a]\nc = { x = 1 } # c\n', { c: { x: 2 } }, '[a]\nc = { x = 2 } # c\n'],
    ['a subsection that becomes a value', '[a]\n[a.c]\nx = 1\n', { c: 3 }, '[a]\nc = 3\n'],
    ['a list of tables that shrinks', '[a]\n[[a.c]]\nx = 1\n[[a.c]]\nx = 2\n[b]\n', { c: [{ x: 1 }] }, '[a]\n[[a.c]]\nx = 1\n[b]\n'],
    ['a list of tables that grows', '[a]\n[[a.c]]\nx = 1\n[b]\n', { c: [{ x: 1 }, { x: 2 }] }, '[b]\n\n[a]\nc = [{ x = 1 }, { x = 2 }]\n'],
    [
      'brackets and hashes in texts',
      "[a]\nx = '''\n[b] # no\n''' # yes\ny = \"]#\\\"\"\n",
      { x: '[b] # no\n', y: 'z' },
      "[a]\nx = '''\n[b] # no\n''' # yes\ny = \"z\"\n",
    ],
    ['a quoted name', '["a"]\n"x" = 1 # x\n', { x: 2 }, '["a"]\n"x" = 2 # x\n'],
  ])('edits %s', (_what, from, values, expected) => expect(set('a', values, from)).toBe(expected));

  it('refuses a text that is not valid', () => {
    expect(() => set('a', {}, '[a')).toThrow(ConfigEditError);
    expect(() => removeSection('a = ', 'a')).toThrow(ConfigEditError);
  });
});

describe('removeSection', () => {
  it.each([
    ['access', text, text.replace(/\[access\][^]*?# below\n\n/, '')],
    ['nginx', text, text.replace(/# Reads[^]*"%ENV\[TZ\]"\n/, '')],
    ['none', text, text],
    ['a', '# file\n[a]\nx = 1\n', '# file\n'],
    ['a', '[b]\n\n[a]\n\n# attached to c\n[c]\n', '[b]\n\n# attached to c\n[c]\n'],
    ['a', 'a.x = 1\nb.x = 1\n', 'b.x = 1\n'],
    ['a', '[a]\n[b]\n[a.c]\nx = 1\n[d]\n', '[b]\n[d]\n'],
  ])('takes away %s', (name, from, expected) => expect(removeSection(from, name, environment)).toBe(expected));
});

const key = fc.constantFrom('x', 'y', 'a b', 'type', 'ä"');
const scalar = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', "'", '"', '\\', '\n', '#', ']', 'é', '\u0001') }),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
);
const leaf = fc.oneof(scalar, fc.array(fc.integer(), { maxLength: 2 }));
const sectionData: fc.Arbitrary<SectionData> = fc.dictionary(
  key,
  fc.oneof(leaf, leaf, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 2 })), { maxKeys: 3 })),
  { maxKeys: 4 },
);

describe('edits of any text', () => {
  it('hold what they should, and keep the lines of others', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.option(sectionData)), { maxLength: 8 }), (steps) => {
        let now = '# head\n\n# of other\n[other] # o\nx.y = [ 1,\n 2 ] # two\n';
        const expected: Record<string, unknown> = { other: { x: { y: [1, 2] } } };
        for (const [name, values] of steps) {
          now = values === null ? removeSection(now, name) : setSection(now, name, values);
          if (values === null) delete expected[name];
          else expected[name] = values;
          expect(now).toContain('# head\n\n# of other\n[other] # o\nx.y = [ 1,\n 2 ] # two\n');
        }
        const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
        expect(normal(parse(now))).toEqual(normal(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('find every key of a text where the parser does', () => {
    fc.assert(
      fc.property(sectionData, (values) => {
        const written = setSection('', 'one', values);
        const paths = layoutOf(written).map((statement) => JSON.stringify(statement.path));
        expect(new Set(paths).size).toBe(paths.length);
        const leaves = (value: unknown, path: string[]): string[][] =>
          typeof value === 'object' && value !== null && !Array.isArray(value)
            ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]))
            : [path];
        for (const path of leaves(parse(written), []).filter((parts) => parts.length > 1)) expect(paths).toContain(JSON.stringify(path));
      }),
    );
  });
});
