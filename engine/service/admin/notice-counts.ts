import type { InputNotice } from '../../inputs/types.ts';
import type { Sample } from './exposition.ts';

/** Counts notices by level, code and plugin. */
export class NoticeCounts {
  readonly #samples = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>();

  count({ level, code, subject = '' }: Pick<InputNotice, 'level'> & Partial<Pick<InputNotice, 'code' | 'subject'>>): void {
    const key = [level, code, subject].join(' ');
    const known = this.#samples.get(key);
    if (known === undefined) this.#samples.set(key, { labels: { level, code: code ?? '', plugin: subject }, value: 1 });
    else known.value++;
  }

  get samples(): readonly Sample[] {
    return [...this.#samples.values()];
  }
}
