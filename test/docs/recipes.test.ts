import { checkTypes, walk } from './walk.ts';

checkTypes((await walk(['docs/recipes.md', 'docs/cookbook.md'], { installed: true })).folder);
