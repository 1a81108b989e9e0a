import { expect, it } from 'vitest';
import { assistantJson, assistantShell } from '../../../../renderer/src/lib/assistant-setup.ts';

const command = ['/opt/my logs/sluicebox', 'mcp', '--window', '--user-data-dir', `/home/o'hara/"x"`];

it('writes a block and a command line that start the command as it is', () => {
  expect(JSON.parse(assistantJson(command))).toEqual({ mcpServers: { sluicebox: { command: command[0], args: command.slice(1) } } });
  expect(assistantShell(command)).toBe(
    String.raw`claude mcp add sluicebox -- '/opt/my logs/sluicebox' mcp --window --user-data-dir '/home/o'\''hara/"x"'`,
  );
});
