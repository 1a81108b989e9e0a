/** XML as programs write it: elements, attributes, text and CDATA. Comments, declarations and processing instructions are left out. */

export interface XmlElement {
  /** Without a prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** The text between the tags, but not that of the children. */
  text: string;
}

/** A tag, a declaration or an instruction. Quoted values of attributes may hold `>`. */
const TAG = /<(?:[?!][^>]*>|\/([^\s<>]+)\s*>|([^\s/<>!?]+)((?:[^"'<>]|"[^"]*"|'[^']*')*)>)/y;
const [COMMENT, COMMENT_END] = ['<!--', '-->'];
const [DATA, DATA_END] = ['<![CDATA[', ']]>'];
/** A name begins behind a blank, a slash or a value: long texts without an equals sign are gone through once. */
const ATTRIBUTE = /(?<![^\s/"'])([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));/g;
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const MAX_DEPTH = 50;
/** The attributes of an element that has none. */
const NONE: ReadonlyMap<string, string> = new Map();

/** The elements of a text that are in no other; null when tags are not closed in their order. */
export function parseXml(text: string): readonly XmlElement[] | null {
  const root: XmlElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  // The last end of each kind: a tag, comment or CDATA that begins behind it has no end, and searching for one each time would take the square of the text.
  const [lastTag, lastComment, lastData] = ['>', COMMENT_END, DATA_END].map((end) => text.lastIndexOf(end)) as [number, number, number];
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0 && at < lastTag; at = text.indexOf('<', Math.max(at + 1, from))) {
    const parent = open.at(-1) as XmlElement;
    if (at + COMMENT.length <= lastComment && text.startsWith(COMMENT, at)) {
      parent.text += resolved(text.slice(from, at));
      from = text.indexOf(COMMENT_END, at + COMMENT.length) + COMMENT_END.length;
      continue;
    }
    if (at + DATA.length <= lastData && text.startsWith(DATA, at)) {
      const end = text.indexOf(DATA_END, at + DATA.length);
      parent.text += resolved(text.slice(from, at)) + text.slice(at + DATA.length, end);
      from = end + DATA_END.length;
      continue;
    }
    TAG.lastIndex = at;
    const found = TAG.exec(text);
    if (found === null) continue;
    const { 1: closed, 2: name, 3: rest = '' } = found;
    parent.text += resolved(text.slice(from, at));
    from = TAG.lastIndex;
    if (closed !== undefined) {
      if (open.length === 1 || parent.name !== local(closed)) return null;
      open.pop();
    } else if (name !== undefined) {
      const element: XmlElement = { name: local(name), attributes: attributesOf(rest), children: [], text: '' };
      parent.children.push(element);
      if (!rest.endsWith('/')) open.push(element);
      if (open.length > MAX_DEPTH) return null;
    }
  }
  return open.length === 1 && root.children.length > 0 ? root.children : null;
}

/** The first child of this name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  if (!text.includes('=')) return NONE;
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
    const { 1: name = '', 2: double, 3: single = '' } = found;
    attributes.set(name, resolved(double ?? single));
  }
  return attributes;
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The text with its references to characters resolved; those that name none stay. */
function resolved(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name] as string;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
