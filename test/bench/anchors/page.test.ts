import { expect, it } from 'vitest';
import { format } from 'prettier';
import { performancePage } from '../../../bench/anchors/page.ts';
import { compared } from '../../../bench/anchors/ratios.ts';
import { WORKS } from '../../../bench/anchors/works.ts';
import { LNAV } from '../../../bench/installed.ts';

const measured = WORKS.filter(({ tool }) => tool !== LNAV).map((work, i) => ({ work, seconds: 2 + i, cpuSeconds: 4 + i }));
const about = { lines: 1_000_000, rounds: 3, named: (tool: { name: string } | null) => tool?.name ?? 'sluicebox' };

it('shows processor time and time of each work, beside the measures that are there', () => {
  const page = performancePage(compared(measured, about.lines), about);
  expect(page).toMatch(/\| LuaJIT \+ LPeg +\| parse each line into a table +\| +4\.00 \| +1\.00 \| +2\.00 \| +\| +500,000 \|/);
  expect(page).toMatch(/\| sluicebox +\| run: nginx_access, http_status +\| +6\.00 \| +1\.50 \| +4\.00 \| +\| +250,000 \|/);
});

it('leaves a page that the formatter does not change', async () => {
  const page = performancePage(compared(measured, about.lines), about);
  expect(await format(page, { parser: 'markdown', printWidth: 140, proseWrap: 'preserve' })).toBe(page);
});
