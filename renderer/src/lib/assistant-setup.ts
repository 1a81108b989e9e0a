/** The block for the file of MCP servers of an assistant's program. @param command program and arguments */
export function assistantJson([command, ...args]: readonly string[]): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(', ');
  return `{
  "mcpServers": {
    "sluicebox": {
      "command": ${JSON.stringify(command)},
      "args": [${list}]
    }
  }
}`;
}

/** The command line that tells Claude Code of it. */
export const assistantShell = (command: readonly string[]): string => `claude mcp add sluicebox -- ${command.map(word).join(' ')}`;

const word = (text: string): string => (/^[\w=.,:/%+@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
