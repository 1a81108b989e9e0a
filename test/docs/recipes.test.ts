import { checkTypes, walk } from './walk.ts';

checkTypes(walk(['docs/recipes.md']).folder);
