import { StateEffect, StateField, type Extension, type Transaction } from '@codemirror/state';
import { gutter, GutterMarker, type EditorView } from '@codemirror/view';
import { formatCompact } from '../../../../../engine/api/quantities.ts';
import { formatShare } from '../../../lib/format.ts';

interface LineSteps {
  readonly line: number;
  readonly steps: number;
}

const setHeat = StateEffect.define<readonly LineSteps[]>();

interface Heat {
  readonly steps: ReadonlyMap<number, number>;
  readonly most: number;
  readonly total: number;
}

const COLD: Heat = { steps: new Map(), most: 0, total: 0 };

/** Steps of each line; they move with their lines until the next trial. */
const heatField = StateField.define<Heat>({
  create: () => COLD,
  update(heat, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setHeat));
    if (set === undefined) return transaction.docChanged ? moved(heat, transaction) : heat;
    const lines: readonly LineSteps[] = set.value;
    const steps = new Map(lines.map((line) => [line.line, line.steps]));
    return { steps, most: Math.max(0, ...steps.values()), total: lines.reduce((sum, line) => sum + line.steps, 0) };
  },
});

function moved(heat: Heat, { startState, state, changes }: Transaction): Heat {
  const steps = new Map<number, number>();
  for (const [line, count] of heat.steps) {
    if (line > startState.doc.lines) continue;
    const { to } = startState.doc.line(line);
    steps.set(state.doc.lineAt(changes.mapPos(to)).number, count);
  }
  return { ...heat, steps };
}

class HeatMarker extends GutterMarker {
  readonly #steps: number;
  readonly #share: number;
  readonly #level: number;

  constructor(steps: number, { most, total }: Heat) {
    super();
    this.#steps = steps;
    this.#share = steps / total;
    // By the square root, so that a line with a tenth of the highest cost is still visible.
    this.#level = Math.max(1, Math.round(Math.sqrt(steps / most) * 5));
  }

  override eq(other: HeatMarker): boolean {
    return other.#steps === this.#steps && other.#level === this.#level && other.#share === this.#share;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = `heat heat-${this.#level}`;
    mark.textContent = formatCompact(this.#steps);
    mark.title = `${formatCompact(this.#steps)} steps, ${formatShare(this.#share)} of all`;
    return mark;
  }
}

/** A gutter with the cost of each line in the last trial. */
export function heatGutter(): Extension {
  return [
    heatField,
    gutter({
      class: 'cm-heat',
      lineMarker(view, block) {
        const heat = view.state.field(heatField);
        const steps = heat.steps.get(view.state.doc.lineAt(block.from).number);
        return steps === undefined ? null : new HeatMarker(steps, heat);
      },
      lineMarkerChange: ({ startState, state }) => startState.field(heatField) !== state.field(heatField),
      initialSpacer: () => new HeatMarker(999_000, { steps: new Map(), most: 999_000, total: 999_000 }),
    }),
  ];
}

export const showHeat = (view: EditorView, lines: readonly LineSteps[]): void => view.dispatch({ effects: setHeat.of(lines) });
