import { expect, it } from 'vitest';
import { asMarkup } from '../../../electron/main/markup.ts';

it('keeps a text as it is where markup is read', () => {
  expect(asMarkup('<b>1 & 2</b> &lt; "3"')).toBe('&lt;b&gt;1 &amp; 2&lt;/b&gt; &amp;lt; "3"');
});
