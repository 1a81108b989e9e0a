import { checkTypes, walk } from './walk.ts';

/** The last part is about systemd, so about Linux. */
const SERVICE = process.platform === 'linux' ? ['docs/tutorial-service.md'] : [];
const PAGES = ['docs/tutorial.md', 'docs/tutorial-plugins.md', ...SERVICE];

checkTypes((await walk(PAGES, { root: true })).folder);
