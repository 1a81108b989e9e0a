import { walk } from './walk.ts';

await walk(['docs/clocks.md'], { installed: true });
