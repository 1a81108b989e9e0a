import type { End, EndCode, ScriptPlace } from '../../api/ends.ts';
import { messageOf } from '../../base/errors.ts';
import { isTyped, stripTypes, TypesError } from '../../base/text/strip-types.ts';
import type { InstrumentedFile, RequestHead, ScriptShape, SourceAnswer, SourceFile } from '../contract/protocol.ts';
import { importPlace, instrument, ScriptSyntaxError, shapeOf, type InstrumentedScript, type MadeScript } from './instrument.ts';
import type { IsolatedVM } from './isolate.ts';
import type { LineProfile } from './line-profile.ts';
import { preparedScript } from './prepared-script.ts';
import { uncountedScript } from './uncounted-script.ts';

/** The script or a module of it does not load; the message says where. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly end: End;

  constructor(end: End, options?: ErrorOptions) {
    super(end.reason, options);
    this.end = end;
  }
}

/** Requests the text of a script. */
export type SourceRequest = (head: RequestHead) => SourceAnswer;

interface Loaded {
  readonly file: SourceFile;
  readonly script: InstrumentedScript;
  readonly module: IsolatedVM.Module | null;
  evaluated: boolean;
  /** The `module` of a CommonJS module. */
  readonly common: IsolatedVM.Reference<{ exports: unknown }> | null;
}

interface CommonModule {
  readonly module: { exports: unknown };
  readonly run: () => void;
}

interface Main {
  readonly text: string;
  readonly form: ScriptShape['form'];
  /** It runs without a step counter. */
  readonly uncounted: boolean;
}

const COMPILED: ScriptShape = { form: 'classic', own: '' };

/** The words of the engine for an import of what is not exported. */
const NO_EXPORT = /The requested module '(.*)' does not provide an export named '(.*)'$/s;

/** The function that is missing at an end. */
const ENTRY_POINTS: Readonly<Partial<Record<EndCode, string>>> = {
  'script.process-missing': 'process_message',
  'script.timer-missing': 'timer_event',
};

/** Larger scripts and modules are not looked at: the host would be busy with one for seconds. */
const MAX_CHARACTERS = 4 << 20;
/** The code that a script compiles by itself. */
const MAX_COMPILED = 1 << 20;

/** Stands before a CommonJS module, and moves its first line; the value of it all holds what the module exports, and runs it. */
const WRAPPER = '(function(){const module={exports:{}};return{module,run:()=>(function(exports,require,module){';
const WRAPPER_END = '\n}).call(module.exports,module.exports,require,module)}})()';

/** Compiles a script and what it imports, instrumented, and knows where errors are. */
export class Loader {
  readonly #isolate: IsolatedVM.Isolate;
  readonly #context: IsolatedVM.Context;
  readonly #request: SourceRequest;
  readonly #profile: LineProfile | null;
  readonly #stateless: boolean;
  readonly #byPath = new Map<string, Loaded>();
  readonly #byModule = new Map<IsolatedVM.Module, Loaded>();
  readonly #byLabel = new Map<string, InstrumentedScript>();
  /** Labels of the files that are the user's. */
  readonly #ofUser = new Set<string>();
  /** The script itself. */
  #main: Main = { text: '', form: 'classic', uncounted: false };
  /** Files that were instrumented here and that a later host need not instrument again. */
  readonly #made: InstrumentedFile[] = [];
  #compiled = 0;
  #compiledCharacters = 0;

  /**
   * @param profile counts the steps of each line
   * @param stateless the script's own variables hold nothing that has to be kept
   */
  constructor(
    isolate: IsolatedVM.Isolate,
    context: IsolatedVM.Context,
    request: SourceRequest,
    profile: LineProfile | null = null,
    stateless = false,
  ) {
    this.#profile = profile;
    this.#stateless = stateless;
    this.#isolate = isolate;
    this.#context = context;
    this.#request = request;
  }

  /**
   * Runs the script's top level. Returns the exports of a module, null for a classic script. Errors of the script go through.
   * @param before gets what was instrumented for it, before any of it runs
   */
  run(
    timeout: number | undefined,
    before: (made: readonly InstrumentedFile[]) => void = () => undefined,
  ): IsolatedVM.Reference<unknown> | null {
    const file = this.#source({ want: 'script' });
    const { script, label } = this.#instrument(file, !this.#stateless);
    this.#main = { text: file.text, form: script.form, uncounted: file.uncounted === true };
    if (script.form === 'classic') {
      const compiled = this.#isolate.compileScriptSync(script.code, { filename: label });
      before(this.#made);
      compiled.runSync(this.#context, timed(timeout));
      return null;
    }
    const loaded = this.#addModule(file, script, label);
    this.#evaluate(loaded, timeout, () => before(this.#made));
    return (loaded.module as IsolatedVM.Module).namespace as IsolatedVM.Reference<unknown>;
  }

  /** Adds to the end of a script without an entry point why that was not found, if its text has one. */
  explained(end: End): End {
    const name = ENTRY_POINTS[end.code];
    const [, word] =
      new RegExp(`^(?:export\\s+)?(const|let|class|(?:async\\s+)?function\\*?|var)\\s+${name}\\b`, 'm').exec(this.#main.text) ?? [];
    if (name === undefined || word === undefined) return end;
    const { form } = this.#main;
    if (form === 'classic' && (word === 'const' || word === 'let')) {
      return withAdvice(end, `it is declared with ${word}; declare it with function, or export it`);
    }
    return form === 'module' ? withAdvice(end, 'it is declared but not exported; write export before it') : end;
  }

  /** The exports of a module for `require`, to be handed into the isolate. */
  require(name: string): IsolatedVM.Dereference<unknown> {
    const file = this.#source({ want: 'module', name });
    const loaded = this.#byPath.get(file.path) ?? this.#load(file);
    return this.#exportsOf(loaded);
  }

  #exportsOf(loaded: Loaded): IsolatedVM.Dereference<unknown> {
    const { module, common } = loaded;
    if (common !== null) return common.getSync('exports', { reference: true }).derefInto();
    // One that others import has run with them; its exports are there when it was asked for itself.
    this.#evaluate(loaded, undefined);
    return (module as IsolatedVM.Module & { namespace: IsolatedVM.Reference<unknown> }).namespace.derefInto();
  }

  /** Exports of the modules, to be handed into the isolate. */
  exports(): IsolatedVM.Dereference<unknown>[] {
    return [...this.#byPath.values()].map((loaded) => this.#exportsOf(loaded));
  }

  /** The function that binds the scope of a compiled function. */
  compile(parameters: string, body: string, scope: string): IsolatedVM.Dereference<unknown> {
    this.#compiledCharacters += parameters.length + body.length;
    if (this.#compiledCharacters > MAX_COMPILED) {
      throw new LoadError(tooLong(`compile_function: more than ${MAX_COMPILED} characters in all`, MAX_COMPILED));
    }
    const label = `compiled-${++this.#compiled}`;
    const source = `(function(${scope}){'use strict';return function(${parameters}){\n${body}\n}})`;
    // Bundled scripts compile for themselves only.
    const ofUser = this.#ofUser.size > 0;
    const isUncounted = this.#main.uncounted && !ofUser;
    const script = isUncounted ? uncountedScript(source, COMPILED, false) : this.#tryInstrument(source, label, false, 'classic');
    this.#remember(label, script, ofUser);
    const compiled = this.#isolate.compileScriptSync(script.code, { filename: label });
    return compiled.runSync(this.#context, { reference: true }).derefInto() as IsolatedVM.Dereference<unknown>;
  }

  /** The first place of a stack that is in a script of the user, which can be mended, or else in a bundled one; null without one. */
  placeOf(stack: string): ScriptPlace | null {
    const places = [...this.#places(stack)];
    return places.find(({ file }) => this.#ofUser.has(file)) ?? places[0] ?? null;
  }

  /** The first place of a stack that is in a loop of a script, and the line of the loop; without a loop the first one of a script. */
  loopOf(stack: string): { readonly place: ScriptPlace; readonly loop: number | null } | null {
    const places = [...this.#places(stack)];
    for (const place of places) {
      const loop = this.#byLabel.get(place.file)?.loopAround(place.line, place.column) ?? null;
      if (loop !== null) return { place, loop };
    }
    const [first] = places;
    return first === undefined ? null : { place: first, loop: null };
  }

  *#places(stack: string): Generator<ScriptPlace, undefined> {
    for (const [, label = '', line, column] of stack.matchAll(/([^\s()]+):(\d+):(\d+)/g)) {
      const script = this.#byLabel.get(label);
      if (script !== undefined) yield { file: label, ...script.original(Number(line), Number(column)) };
    }
  }

  #source(head: RequestHead): SourceFile {
    const answer = this.#request(head);
    if ('error' in answer) throw new LoadError(unloadable('script.load', answer.error));
    return answer.file;
  }

  /** The file of an import; an error names the place of the import. */
  #imported(specifier: string, from: Loaded | undefined): SourceFile {
    const answer = this.#request({ want: 'import', specifier, from: from?.file.path ?? '' });
    if (!('error' in answer)) return answer.file;
    const [file] = [...this.#byLabel].find(([, script]) => script === from?.script) ?? [];
    const at = from === undefined || file === undefined ? null : importPlace(textOf(from.file, file), specifier);
    if (file === undefined || at === null) throw new LoadError(unloadable('script.load', answer.error));
    throw new LoadError(placedEnd('script.load', answer.error, { file, ...at }));
  }

  #load(file: SourceFile): Loaded {
    const { script, label } = this.#instrument(file, isOfUser(file));
    if (script.form === 'module') return this.#addModule(file, script, label);
    const code = WRAPPER + script.code + WRAPPER_END;
    const compiled = this.#isolate.compileScriptSync(code, { filename: label, columnOffset: -WRAPPER.length });
    const made = compiled.runSync(this.#context, { reference: true }) as IsolatedVM.Reference<CommonModule>;
    const loaded: Loaded = { file, script, module: null, evaluated: true, common: made.getSync('module', { reference: true }) };
    // One that is wanted again while it runs is had as far as it has come.
    this.#byPath.set(file.path, loaded);
    try {
      made.getSync('run', { reference: true }).applySync(undefined, []);
    } catch (error) {
      this.#byPath.delete(file.path);
      throw error;
    }
    return loaded;
  }

  #addModule(file: SourceFile, script: InstrumentedScript, label: string): Loaded {
    const module = this.#isolate.compileModuleSync(script.code, { filename: label });
    const loaded: Loaded = { file, script, module, evaluated: false, common: null };
    this.#byPath.set(file.path, loaded);
    this.#byModule.set(module, loaded);
    return loaded;
  }

  /** @param before is called when it is linked, and has not run */
  #evaluate(loaded: Loaded, timeout: number | undefined, before = (): void => undefined): void {
    if (loaded.evaluated) return;
    const module = loaded.module as IsolatedVM.Module;
    try {
      module.instantiateSync(this.#context, (specifier, referrer) => this.#resolve(specifier, referrer));
    } catch (error) {
      throw this.#placedImport(error);
    }
    loaded.evaluated = true;
    before();
    module.evaluateSync(timed(timeout));
  }

  /** An import of what a module does not export, with its place; any other error as it is. */
  #placedImport(error: unknown): unknown {
    const [, specifier, name] = NO_EXPORT.exec(messageOf(error)) ?? [];
    if (specifier === undefined || name === undefined) return error;
    for (const [label, script] of this.#byLabel) {
      const from = [...this.#byPath.values()].find((loaded) => loaded.script === script);
      const at = from === undefined || script.form !== 'module' ? null : importPlace(textOf(from.file, label), specifier, name);
      const said = `'${specifier}' has no export '${name}'`;
      if (at !== null) return new LoadError(placedEnd('script.load', said, { file: label, ...at }), { cause: error });
    }
    return error;
  }

  #resolve(specifier: string, referrer: IsolatedVM.Module): IsolatedVM.Module {
    const file = this.#imported(specifier, this.#byModule.get(referrer));
    const known = this.#byPath.get(file.path);
    if (known !== undefined && known.module !== null) return known.module;
    const label = this.#labelFor(file);
    const script = this.#scriptOf(file, label, isOfUser(file), 'module');
    this.#remember(label, script, isOfUser(file));
    return this.#addModule(file, script, label).module as IsolatedVM.Module;
  }

  #instrument(file: SourceFile, own: boolean): { script: InstrumentedScript; label: string } {
    const label = this.#labelFor(file);
    const script = this.#scriptOf(file, label, own);
    this.#remember(label, script, isOfUser(file));
    return { script, label };
  }

  /** @param own its variables are kept in checkpoints */
  #scriptOf(file: SourceFile, label: string, own: boolean, form?: InstrumentedScript['form']): InstrumentedScript {
    const { instrumented, shape, uncounted = false } = file;
    if (!uncounted && instrumented !== undefined && this.#profile === null && (form ?? instrumented.form) === instrumented.form) {
      return preparedScript(instrumented, () => textOf(file, label), own);
    }
    const text = textOf(file, label);
    if (uncounted) return uncountedScript(text, shape ?? shapeOf(text, form), own);
    const script = this.#tryInstrument(text, label, own, form);
    if (this.#profile === null) this.#made.push({ path: file.path, instrumented: script.text });
    return script;
  }

  #remember(label: string, script: InstrumentedScript, ofUser: boolean): void {
    this.#byLabel.set(label, script);
    if (ofUser) this.#ofUser.add(label);
  }

  /** Two files of one name must not be taken for each other. */
  #labelFor(file: SourceFile): string {
    const base = file.label.replaceAll(/[\s():]/g, '_');
    let label = base;
    for (let n = 2; this.#byLabel.has(label); n++) label = `${base}~${n}`;
    return label;
  }

  /** @param own its variables are kept in checkpoints */
  #tryInstrument(text: string, label: string, own: boolean, form?: 'classic' | 'module'): MadeScript {
    if (text.length > MAX_CHARACTERS) {
      throw new LoadError(tooLong(`${label} is larger than ${MAX_CHARACTERS} characters`, MAX_CHARACTERS));
    }
    try {
      const profile = this.#profile;
      return instrument(text, form, profile === null ? undefined : (line) => profile.cellOf(label, line), own);
    } catch (error) {
      if (!(error instanceof ScriptSyntaxError)) throw error;
      const { line, column, message } = error;
      throw new LoadError(syntaxEnd(message, { file: label, line, column }), { cause: error });
    }
  }
}

/** Bundled modules hold what matters in global variables. */
function isOfUser({ stripped }: SourceFile): boolean {
  return stripped !== true;
}

const BYTE_ORDER_MARK = '\ufeff';

/** The file as JavaScript; types become blanks, so that places stay. */
function textOf(file: SourceFile, label: string): string {
  const text = file.text.startsWith(BYTE_ORDER_MARK) ? file.text.slice(1) : file.text;
  if (file.stripped === true || !isTyped(file.path)) return text;
  try {
    return stripTypes(text);
  } catch (error) {
    if (!(error instanceof TypesError)) throw error;
    const { message, place } = error;
    const end = place === null ? unloadable('script.syntax', `${label}: ${message}`) : syntaxEnd(message, { file: label, ...place });
    throw new LoadError(end, { cause: error });
  }
}

const unloadable = (code: EndCode, reason: string): End => ({ code, reason, said: reason });

const tooLong = (reason: string, limit: number): End => ({ code: 'limit.source', reason, limit });

function placedEnd(code: EndCode, said: string, place: ScriptPlace): End {
  return { code, reason: `${place.file}:${place.line}:${place.column}: ${said}`, place, said };
}

const syntaxEnd = (said: string, place: ScriptPlace): End => placedEnd('script.syntax', said, place);

function timed(timeout: number | undefined): { timeout?: number } {
  return timeout === undefined ? {} : { timeout };
}

/** An end that says itself what to do. */
const withAdvice = (end: End, said: string): End => ({ ...end, reason: `${end.reason}: ${said}`, said });
