/** Makes random scripts that end, for comparing their runs with and without instrumentation. Each value goes through `t`, which keeps a trace. */
export function randomProgram(seed: number): string {
  return new Writer(seed).program();
}

class Writer {
  #state: number;
  #depth = 0;
  #names = 0;
  /** The jump statements that are allowed at the current place. */
  #jumps: string[] = [];
  #inFunction = false;
  #inGenerator = false;

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 2654435761) ^ 0x9e3779b9) >>> 0 || 1;
  }

  program(): string {
    return this.#statements(4);
  }

  #random(below: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % below;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random(values.length)] as T;
  }

  #name(): string {
    return `v${this.#names++}`;
  }

  /** A separator of statements: a semicolon or a new line, perhaps with comments. */
  #gap(): string {
    return this.#pick(['\n', ';\n', '; ', '\n// c\n', ' /* ; */\n', '\n\n']);
  }

  #statements(count: number): string {
    return Array.from({ length: 1 + this.#random(count) }, () => this.#statement() + this.#gap()).join('');
  }

  #nested<T>(write: () => T, jumps: readonly string[] = []): T {
    const before = this.#jumps;
    this.#depth++;
    this.#jumps = [...before, ...jumps];
    const written = write();
    this.#jumps = before;
    this.#depth--;
    return written;
  }

  #block(jumps: readonly string[] = []): string {
    return `{${this.#nested(() => this.#statements(3), jumps)}}`;
  }

  /** A statement that may stand without a block. */
  #body(jumps: readonly string[]): string {
    return this.#random(2) === 0 ? this.#block(jumps) : this.#nested(() => `${this.#single()};`, jumps);
  }

  #single(): string {
    if (this.#jumps.length > 0 && this.#random(3) === 0) return `if (t(${this.#random(2)})) ${this.#pick(this.#jumps)}`;
    if (this.#inFunction && this.#random(4) === 0) return this.#return();
    return `t(${this.#expression()})`;
  }

  #return(): string {
    return this.#pick([`return ${this.#expression()}`, `if (t(${this.#random(2)})) return ${this.#expression()}`, 'if (t(0)) return']);
  }

  #statement(): string {
    if (this.#depth > 4) return this.#single();
    switch (this.#random(16)) {
      case 0:
        return this.#loop('');
      case 1: {
        const label = `l${this.#names++}`;
        return `${label}: ${this.#loop(label)}`;
      }
      case 2:
        return `if (t(${this.#random(2)})) ${this.#body([])} else ${this.#body([])}`;
      case 3:
        return `try ${this.#block()} catch (e) { t(String(e)); ${this.#nested(() => this.#single())} } finally { t('f') }`;
      case 4:
        return `switch (t(${this.#random(3)})) { case 0: ${this.#nested(() => this.#statements(2), ['break'])} case 1: ${this.#block(['break'])} default: t('d') }`;
      case 5:
        return this.#declaration();
      case 6: {
        const name = this.#name();
        return `${this.#pick(['const', 'let', 'var'])} ${name} = ${this.#expression()}; t(${name})`;
      }
      case 7:
        return `{ const [a = ${this.#expression()}, ...b] = [${this.#expression()}]; t(a); t(b.length) }`;
      case 8:
        return `{ const { p = ${this.#expression()}, q } = { q: ${this.#expression()} }; t(p); t(q) }`;
      case 9:
        return `throw0(() => { throw ${this.#inner()} })`;
      case 10:
        return this.#class();
      case 11: {
        const label = `b${this.#names++}`;
        return `${label}: ${this.#block([`break ${label}`])}`;
      }
      default:
        return this.#single();
    }
  }

  #loop(label: string): string {
    const jumps = ['break', 'continue', ...(label === '' ? [] : [`break ${label}`, `continue ${label}`])];
    const i = this.#name();
    const turns = this.#pick([0, 1, 2, 3, 70]);
    const few = turns === 70 && this.#depth > 1 ? 2 : turns;
    switch (this.#random(7)) {
      case 0:
        return `for (let ${i} = 0; ${i} < ${few}; ${i}++) ${this.#body(jumps)}`;
      case 1:
        return `for (const ${i} of [1, 2, ${this.#expression()}]) ${this.#body(jumps)}`;
      case 2:
        return `for (var ${i} in { a: 1, b: ${this.#expression()} }) ${this.#body(jumps)}`;
      case 3:
        return `for (let ${i} = 0, f = () => ${i}; ${i} < ${Math.min(few, 3)}; t(f()), ${i}++) ${this.#body(jumps)}`;
      case 4:
        return `for (let ${i} = ${few}; ${i}-- > 0;) ${this.#body(jumps)}`;
      case 5:
        return `for (let ${i} = 0; ${i}++ < ${few};) { let k = 0; while (k++ < 2) ${this.#body(['break', 'continue'])} }`;
      default:
        return `for (let ${i} = 0; ${i}++ < 2;) { let k = 0; do ${this.#body(['break', 'continue'])} while (k++ < ${few}) }`;
    }
  }

  /** A function's body has no outer jumps. */
  #functionBody({ generator = false, simple = true } = {}): string {
    const [jumps, inFunction, inGenerator] = [this.#jumps, this.#inFunction, this.#inGenerator];
    this.#jumps = [];
    this.#inFunction = true;
    this.#inGenerator = generator;
    const directive = this.#pick(['', '', simple ? `'use strict'\n` : '', `"a"; 'b';`]);
    const body = `{${directive}${this.#nested(() => this.#statements(3))}${this.#random(2) === 0 ? this.#return() : ''}}`;
    this.#jumps = jumps;
    this.#inFunction = inFunction;
    this.#inGenerator = inGenerator;
    return body;
  }

  #declaration(): string {
    const name = this.#name();
    switch (this.#random(3)) {
      case 0:
        return `function ${name}(a, b) ${this.#functionBody()}; t(${name}(1, ${this.#expression()})); t(${name}.length)`;
      case 1:
        return `function* ${name}() ${this.#functionBody({ generator: true })}; for (const y of ${name}()) t(y)`;
      default:
        return `function ${name}(c) { return c === ${this.#random(3)} }; t([0, 1, 2].map(${name}).join()); t(${name}(1))`;
    }
  }

  #class(): string {
    const name = this.#name();
    return (
      `class ${name} { x = ${this.#inner()}; static s = ${this.#inner()}; #p = () => ${this.#inner()};` +
      `static { ${this.#nested(() => `for (let i = 0; i < 2; i++) t(${this.#inner()})`)} }` +
      `get g() ${this.#functionBody()} m(a = this.#p()) ${this.#functionBody({ simple: false })} };` +
      `{ const o = new ${name}(); t(o.x); t(o.g); t(o.m()); t(${name}.s) }`
    );
  }

  /** An expression in a function or class of its own. */
  #inner(): string {
    const inGenerator = this.#inGenerator;
    this.#inGenerator = false;
    const expression = this.#expression();
    this.#inGenerator = inGenerator;
    return expression;
  }

  #expression(): string {
    if (this.#depth > 5) return String(this.#random(9));
    return this.#nested(() => {
      switch (this.#random(18)) {
        case 0:
          return `((a) => ${this.#inner()})(${this.#expression()})`;
        case 1:
          return `(a => /* c */ (${this.#inner()}, a))(1)`;
        case 2:
          return `(() => ({ a: ${this.#inner()} }))().a`;
        case 3:
          return `(() =>\n// c\n${this.#inner()})()`;
        case 4:
          return `(function () ${this.#functionBody()})()`;
        case 5:
          return `(() => ${this.#functionBody()})()`;
        case 6:
          return `[1, 2].map((x) => x + ${this.#inner()}).join()`;
        case 7:
          return `\`a\${${this.#expression()}}b\``;
        case 8:
          return `tag\`x\${${this.#expression()}}y\``;
        case 9:
          return `(a => b => a + b)(1)(${this.#expression()})`;
        case 10:
          return `(t(${this.#random(2)}) ? ${this.#expression()} : (() => ${this.#inner()})())`;
        case 11:
          return `{ m() ${this.#functionBody()} }.m()`.replace(/^/, '(').replace(/\.m\(\)$/, ').m()');
        case 12:
          return this.#inGenerator ? `(yield ${this.#random(9)})` : '/[/}]\\/{/.source';
        case 13:
          return `((a, b = a, ...c) => b)(${this.#expression()})`;
        case 14:
          return `"${this.#pick(['=>', '{', '//', 'for (;;)'])}"`;
        default:
          return String(this.#random(9));
      }
    });
  }
}
