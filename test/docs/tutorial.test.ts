import { checkTypes, walk } from './walk.ts';

checkTypes(walk(['docs/tutorial.md', 'docs/tutorial-plugins.md'], false).folder);
