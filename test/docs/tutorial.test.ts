import { checkTypes, walk } from './walk.ts';

const PAGES = ['docs/tutorial.md', 'docs/tutorial-plugins.md', 'docs/tutorial-service.md'];

checkTypes((await walk(PAGES, { root: true })).folder);
