import { checkTypes, walk } from './walk.ts';

checkTypes(walk('docs/tutorial.md', false).folder);
