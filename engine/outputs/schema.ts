/** A field as the schema text names it. */
export interface SchemaTextField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'bool' | 'mismatch';
  readonly optional: boolean;
  readonly count: number;
}
interface SchemaTextNode<Child> {
  /** Empty: the messages have none. */
  readonly name: string;
  readonly count: number;
  readonly children: readonly Child[];
}
type SchemaTextVersion = SchemaTextNode<SchemaTextField>;
type SchemaTextType = SchemaTextNode<SchemaTextVersion>;
export type SchemaTextLogger = SchemaTextNode<SchemaTextType>;

const NODE = /^(?<indent> {0}| {4}| {9})(?<name>\S.*|) \[(?<count>\d+)\]$/s;
const FIELD = /^ {12}(?<name>.*) \((?<type>string|number|bool|mismatch)(?: - optional \[(?<count>\d+)\])?\)$/s;
const INDENTS = [0, 4, 9] as const;
const UNNAMED = ['-no logger-', '-no type-', '-no version-'] as const;

interface OpenNode {
  readonly name: string;
  readonly count: number;
  readonly children: (OpenNode | SchemaTextField)[];
}

/**
 * Reads the payload of a message-schema message: two explaining lines, an empty one, then the tree Logger, Type, EnvVersion, fields, by
 * their indents of 0, 4, 9 and 12. null when there is no such tree.
 */
export function parseSchema(payload: string): SchemaTextLogger[] | null {
  const lines = payload.split('\n');
  if (lines[2] !== '') return null;
  const root: OpenNode = { name: '', count: 0, children: [] };
  const path: OpenNode[] = [root];
  for (const line of lines.slice(3)) {
    const field = FIELD.exec(line)?.groups;
    if (field) {
      const version = path[3];
      version?.children.push({
        name: field.name ?? '',
        type: field.type as SchemaTextField['type'],
        optional: field.count !== undefined,
        count: field.count === undefined ? version.count : Number(field.count),
      });
      continue;
    }
    const found = NODE.exec(line)?.groups;
    const depth = found ? INDENTS.indexOf((found.indent ?? '').length as 0) : -1;
    const parent = path[depth];
    if (!found || !parent) continue;
    const name = found.name === UNNAMED[depth] ? '' : (found.name ?? '');
    const node: OpenNode = { name, count: Number(found.count), children: [] };
    parent.children.push(node);
    path.length = depth + 1;
    path.push(node);
  }
  return root.children as unknown as SchemaTextLogger[];
}
