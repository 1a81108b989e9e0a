import { expect, test } from 'vitest';
import { sharesOf } from '../../../bench/profile/samples.ts';

test.each([
  ['7f2354048b9d [unknown] (/tmp/perf-32636.map)', 'compiled code of scripts and engine'],
  ['7f2354048b9d [unknown] (//anon)', 'compiled code of scripts and engine'],
  ['ffffffff81 clear_page_erms ([kernel.kallsyms])', 'kernel'],
  ['1555 __memmove_avx512_unaligned_erms (/usr/lib/libc.so.6)', 'copies (memmove, memset, memcpy)'],
  ['1555 v8::internal::maglev::GraphProcessor<a (b)>::Process (/opt/node)', 'compilers'],
  ['1555 v8::internal::Scavenger::ScavengePage (/opt/node)', 'garbage collection'],
  ['1555 v8::internal::Scanner::Next (/opt/node)', 'parsing of sources'],
  ['1555 Builtins_StringAdd_CheckNone (/opt/node)', "V8's built-in functions"],
  ['1555 uv__io_poll (/opt/node)', 'other native code'],
])('a sample of %s', (sample, kind) => {
  expect(sharesOf(` 1001001 ${sample}\n`)).toEqual([[kind, 100]]);
});

test('shares are those of the periods, the largest first', () => {
  const text = ' 1000 15 memset (/opt/libc.so)\n 3000 15 Builtins_Add (/opt/node)\nnot a sample\n';
  expect(sharesOf(text)).toEqual([
    ["V8's built-in functions", 75],
    ['copies (memmove, memset, memcpy)', 25],
  ]);
  expect(sharesOf('')).toEqual([]);
});
