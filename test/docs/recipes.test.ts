import { checkTypes, walk } from './walk.ts';

checkTypes((await walk(['docs/recipes.md'], { installed: true })).folder);
