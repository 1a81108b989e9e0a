import { expect, it } from 'vitest';
import { typeFindings } from '../../../../engine/service/check/check-script-types.ts';

const found = (path: string, text: string) =>
  typeFindings([{ script: {} as never, plugin: { name: 'x', path, meta: null }, text }]).map(
    ({ file, line, text: said }) => `${file}:${line}: ${said}`,
  );

it('finds unknown names and wrong types in TypeScript', () => {
  const text =
    'export function process_message(): ProcessStatus {\n  const n: number = "a";\n  return read_mesage("Type") === n ? 0 : -1;\n}\n';
  expect(found('/x/own.ts', text)).toEqual([
    "/x/own.ts:2: Type 'string' is not assignable to type 'number'.",
    "/x/own.ts:3: Cannot find name 'read_mesage'. Did you mean 'read_message'?",
  ]);
});

it('finds in JavaScript what is wrong for sure', () => {
  expect(found('/x/own.js', 'var n = 1;\nn = "a";\nfunction process_message() {\n  return nothing;\n}\n')).toEqual([
    "/x/own.js:4: Cannot find name 'nothing'.",
  ]);
});

it('knows the modules', () => {
  expect(found('/x/own.ts', "import { graph } from 'no_module';\nimport { decode } from './beside.ts';\ngraph(decode);\n")).toEqual([]);
});
