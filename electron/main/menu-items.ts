import type { MenuItemConstructorOptions } from 'electron';
import { COMMANDS, type Command, type CommandId, type MenuName } from '../../engine/api/commands.ts';

/** The items of a menu of the application: the commands of the table that belong there. @param run sends one to the window */
export function commandItems(menu: MenuName, run: (id: CommandId) => void): MenuItemConstructorOptions[] {
  return COMMANDS.filter((command) => command.menu === menu).flatMap((command): MenuItemConstructorOptions[] => {
    const item = { label: command.title, ...shownKey(command), click: () => run(command.id) };
    return command.separate === true ? [{ type: 'separator' }, item] : [item];
  });
}

/** The key shown beside an item; the window handles it. Only a key with a modifier can be an accelerator. */
function shownKey({ keys }: Command): MenuItemConstructorOptions {
  const key = keys.find((text) => text.startsWith('Mod+'));
  return key === undefined ? {} : { accelerator: key.replace('Mod+', 'CmdOrCtrl+').replace('++', '+Plus'), registerAccelerator: false };
}
