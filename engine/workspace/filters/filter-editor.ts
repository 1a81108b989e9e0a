import { isDeepStrictEqual } from 'node:util';
import { EngineError, messageOf } from '../../base/errors.ts';
import { compileExpression } from '../../matcher/expression.ts';
import { bundledPlugins, findPlugin } from '../../plugins/catalog.ts';
import { filesToRead } from '../../plugins/files.ts';
import { DEFAULT_LIMITS } from '../../sandbox/contract/types.ts';
import type { WorkspaceFilters } from './plugins.ts';
import { LIMITS, tooMany } from '../common/limits.ts';
import type { Consent } from '../common/consent.ts';
import { scriptAbout } from '../common/script-about.ts';
import { fileDemand } from '../sources/demands.ts';
import type { AllowedScripts } from '../scripts/allowed-scripts.ts';
import type { FilterTemplate } from '../file/templates.ts';
import type { FilterSection, ScriptAbout } from '../../api/types.ts';
import type { TextChange, WorkspaceFile } from '../file/workspace-file.ts';

interface Step {
  readonly id: number;
  /** Description of the change, for the window. */
  readonly what: string;
  readonly undo: () => Promise<void>;
}

/** Number of changes that can be undone. */
const MAX_STEPS = 50;

/** Changes the filters of the workspace file for the window, and restarts the running filters that depend on them. */
export class FilterEditor {
  readonly #file: WorkspaceFile;
  readonly #filters: WorkspaceFilters;
  readonly #scripts: AllowedScripts;
  readonly #consent: Consent;
  readonly #steps: Step[] = [];
  #nextStep = 1;

  constructor(file: WorkspaceFile, filters: WorkspaceFilters, scripts: AllowedScripts, consent: Consent) {
    this.#file = file;
    this.#filters = filters;
    this.#scripts = scripts;
    this.#consent = consent;
  }

  /** The bundled filters. */
  bundled(): ScriptAbout[] {
    return bundledPlugins('filter').map((plugin) => scriptAbout(plugin, plugin.name));
  }

  sections(): FilterSection[] {
    return this.#filters.templates.map(sectionOf);
  }

  /**
   * Adds a filter, or changes it. Nothing changes when it fails. Returns the number of the change, for `undo`.
   * @throws {EngineError} `filter.name`, `filter.matcher`, `workspace.invalid`, `script.foreign`, `consent.refused`, `limit.reached`, and the errors of loading its script
   */
  set(filter: FilterSection, was: string | undefined, keepState: boolean): Promise<number> {
    return this.#file.inTurn(async () => {
      const old = was === undefined ? undefined : this.#filter(was);
      await this.#check(filter, old);
      const change = await this.#file.setFilter(filter, old === undefined);
      await this.#apply(keepState);
      return this.#did(`${old === undefined ? 'Adding' : 'Changing'} the filter script ${filter.name}`, () => this.#restore(change));
    });
  }

  /**
   * Removes a filter. Returns the number of the change, for `undo`.
   * @throws {EngineError} `filter.name`, `workspace.invalid`
   */
  remove(name: string): Promise<number> {
    return this.#file.inTurn(async () => {
      this.#filter(name);
      const change = await this.#file.removeFilter(name);
      await this.#apply(true);
      return this.#did(`Removing the filter script ${name}`, () => this.#restore(change));
    });
  }

  /**
   * Undoes the last change. Returns its description; null: there is none.
   * @param wanted the number of the change to undo
   * @throws {EngineError} `filter.undo` when it is not the last change; `workspace.invalid`, then it can be undone later
   */
  undo(wanted?: number): Promise<string | null> {
    return this.#file.inTurn(async () => {
      if (wanted !== undefined && this.#steps.at(-1)?.id !== wanted) {
        throw new EngineError('filter.undo', 'There were other changes since. Take them back first, in the Scripts view.');
      }
      const step = this.#steps.at(-1);
      await step?.undo();
      this.#steps.pop();
      return step?.what ?? null;
    });
  }

  /** Says that other filters are open now: what was changed before is not undone in them. */
  replaced(): void {
    this.#steps.length = 0;
  }

  /**
   * Writes a script and, with `apply`, reloads the filters that run it.
   * @throws {EngineError} when it cannot be written, or does not load with `apply`
   */
  saveScript(script: {
    readonly name: string;
    readonly path: string | null;
    readonly text: string;
    readonly apply: boolean;
    readonly keepState: boolean;
  }): Promise<{ path: string; replaced: number; step: number | null }> {
    return this.#file.inTurn(async () => {
      const { path, text, apply, keepState } = script;
      const users = apply && path !== null ? this.#filters.templates.filter((template) => template.script === path) : [];
      for (const template of users) await this.#filters.check(template, text);
      const written = await this.#scripts.write(script.name, path, text);
      const replaced = await this.#reload(users, keepState);
      const { before } = written;
      if (before === null || before === text) return { path: written.path, replaced, step: null };
      const step = this.#did(`Changing ${written.path}`, async () => {
        await this.#scripts.write(script.name, written.path, before);
        await this.#reload(users, keepState);
      });
      return { path: written.path, replaced, step };
    });
  }

  async #reload(templates: readonly FilterTemplate[], keepState: boolean): Promise<number> {
    const ids = templates.flatMap(({ name }) => this.#filters.idsOf(name));
    await Promise.all(ids.map((id) => this.#filters.reload(id, { keepState })));
    return ids.length;
  }

  #did(what: string, undo: () => Promise<void>): number {
    const id = this.#nextStep++;
    this.#steps.push({ id, what, undo });
    if (this.#steps.length > MAX_STEPS) this.#steps.shift();
    return id;
  }

  async #check(filter: FilterSection, old: FilterTemplate | undefined): Promise<void> {
    if (old === undefined ? this.#filters.templates.some(({ name }) => name === filter.name) : old.name !== filter.name) {
      throw new EngineError('filter.name', `There is a filter script ${filter.name} already, or it has another name.`);
    }
    if (old === undefined && this.#filters.templates.length >= LIMITS.filters) throw tooMany('filters', 'Remove one.');
    try {
      compileExpression(filter.matcher);
    } catch (error) {
      throw new EngineError('filter.matcher', messageOf(error), { cause: error });
    }
    this.#checkScript(filter, old);
    await this.#checkFiles(filter, old);
    const template = templateOf(filter, old);
    if (old === undefined || !isDeepStrictEqual(sectionOf(old), filter)) await this.#filters.check(template);
  }

  /** The filter of a section. @throws {EngineError} `filter.name` */
  #filter(section: string): FilterTemplate {
    const found = this.#filters.templates.find(({ name }) => name === section);
    if (found === undefined) throw new EngineError('filter.name', `There is no filter script ${section}.`);
    return found;
  }

  /** @throws {EngineError} `script.foreign`, `plugin.unknown` */
  #checkScript({ bundled, script }: FilterSection, old: FilterTemplate | undefined): void {
    if (script === old?.script && bundled === old.builtIn) return;
    if (bundled) this.#scripts.checkBundled('filter', script);
    else this.#scripts.checkOwn(script);
  }

  /** Files that the parameters name are read when that was confirmed. @throws {EngineError} `consent.refused` */
  async #checkFiles({ script, config }: FilterSection, old: FilterTemplate | undefined): Promise<void> {
    const plugin = findPlugin('filter', script);
    const read = old?.script === script ? filesToRead(plugin, old.config, old.folder) : [];
    const added = filesToRead(plugin, config, old?.folder).filter((path) => !read.includes(path));
    await this.#consent.require(added.map(fileDemand));
  }

  async #restore(change: TextChange): Promise<void> {
    await this.#file.restore(change);
    await this.#apply(true);
  }

  async #apply(keepState: boolean): Promise<void> {
    const { templates } = await this.#file.read();
    await this.#filters.setTemplates(templates, () => ({ keepState }));
  }
}

function sectionOf({ name, script, builtIn, matcher, ticker, config, inputs, limits = {} }: FilterTemplate): FilterSection {
  const { memory, instructions, output } = { ...DEFAULT_LIMITS, ...limits };
  const shown = { name, script, bundled: builtIn, matcher, ticker, config };
  return { ...shown, inputs: inputs ?? null, limits: { memory, instructions, output } };
}

function templateOf({ name, script, bundled, matcher, ticker, config, limits }: FilterSection, old?: FilterTemplate): FilterTemplate {
  return { ...old, name, script, builtIn: bundled, matcher, ticker, config, limits: { ...old?.limits, ...limits } };
}
