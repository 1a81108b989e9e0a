/** The name by which files of a section, or of a script of it, are kept. Different names may have the same: `check` refuses them. */
export const fileName = (name: string): string => name.replaceAll(/\W/g, '_');
