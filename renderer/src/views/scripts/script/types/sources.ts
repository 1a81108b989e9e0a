import api from '../../../../../../plugins/api.d.ts?raw';
import type { TypeSources } from '../../../../../../engine/api/script-types.ts';

const NAME = /([^/]+\/)?[^/]+$/;

const libs = import.meta.glob<string>(
  [
    '../../../../../../node_modules/typescript/lib/lib.es5.d.ts',
    '../../../../../../node_modules/typescript/lib/lib.es201[5-9]*.d.ts',
    '../../../../../../node_modules/typescript/lib/lib.es202[0-4]*.d.ts',
    '../../../../../../node_modules/typescript/lib/lib.decorators*.d.ts',
    '!**/*.full.d.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);
const modules = import.meta.glob<string>(['../../../../../../plugins/modules/*.ts', '../../../../../../plugins/base/*.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** All texts with which scripts are read. */
export const TYPE_SOURCES: TypeSources = {
  api,
  libs: Object.fromEntries(Object.entries(libs).map(([path, text]) => [path.split('/').at(-1) ?? '', text])),
  modules: Object.fromEntries(Object.entries(modules).map(([path, text]) => [NAME.exec(path)?.[0] ?? '', text])),
};
