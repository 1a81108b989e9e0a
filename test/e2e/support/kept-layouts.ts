import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** Left, top, width and height in CSS pixels. */
type Box = readonly [number, number, number, number];
/** The named parts of a page and where they lie. */
type Layout = Readonly<Record<string, Box>>;

const FILE = fileURLToPath(new URL('layouts.json', import.meta.url));
/** Pixels by which a part may lie elsewhere: fonts differ between machines. */
const TOLERANCE = 12;
const PARTS =
  'nav, main, aside, header, footer, section, canvas, h1, h2, [role="region"], [role="search"], [role="grid"], [role="columnheader"], [role="separator"], [role="status"]';

/** Layouts of the window as they were when someone looked at them last, by name. With `SLUICEBOX_LAYOUTS=keep`, those of this run are kept instead. */
export class KeptLayouts {
  readonly #kept: Record<string, Layout> = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Layout>) : {};
  readonly #isKeeping = process.env['SLUICEBOX_LAYOUTS'] === 'keep';

  /** Compares the parts of the page with those that were kept under a name. Returns a line for each part that was moved, is missing or is new. */
  async differences(page: Page, name: string): Promise<string[]> {
    const now = await page.evaluate(readLayout, PARTS);
    const kept = this.#kept[name];
    // It is kept as often as it is asked for, until it has come to rest.
    if (this.#isKeeping) this.#keep(name, now);
    return kept === undefined ? [`there is no layout of ${name} yet: keep one with SLUICEBOX_LAYOUTS=keep`] : differencesOf(kept, now);
  }

  #keep(name: string, layout: Layout): void {
    this.#kept[name] = layout;
    const lines = Object.entries(this.#kept)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([of, parts]) => {
        const boxes = Object.entries(parts).map(([part, box]) => `    ${JSON.stringify(part)}: [${box.join(', ')}]`);
        return `  ${JSON.stringify(of)}: {\n${boxes.join(',\n')}\n  }`;
      });
    writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
  }
}

/** Compares two layouts. Returns a line for each part that was moved, is missing or is new. */
function differencesOf(kept: Layout, now: Layout): string[] {
  const lines: string[] = [];
  for (const [part, box] of Object.entries(kept)) {
    const other = now[part];
    if (other === undefined) lines.push(`${part} is missing`);
    else if (box.some((pixels, side) => Math.abs(pixels - (other[side] as number)) > TOLERANCE))
      lines.push(`${part} lies at ${other.join(', ')}, not at ${box.join(', ')}`);
  }
  for (const part of Object.keys(now)) if (!(part in kept)) lines.push(`${part} is new`);
  return lines;
}

/** Runs in the page. */
function readLayout(parts: string): Layout {
  const layout: Record<string, Box> = {};
  for (const element of document.querySelectorAll(parts)) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const isShown = width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isShown || element.closest('[aria-hidden="true"], .sr-only, .toasts') !== null) continue;
    const role = element.getAttribute('role') ?? element.tagName.toLowerCase();
    const text =
      element.getAttribute('aria-label') ?? (role === 'h1' || role === 'h2' || role === 'columnheader' ? element.textContent : '');
    const label = text
      .replaceAll(/\d[\d,.]*/g, '#')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 50);
    const name = `${role} ${label}`.trim();
    let unique = name;
    for (let more = 2; unique in layout; more++) unique = `${name} (${more})`;
    layout[unique] = [left, top, width, height].map(Math.round) as unknown as Box;
  }
  return layout;
}
