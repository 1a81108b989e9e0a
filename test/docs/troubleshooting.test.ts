import { walk } from './walk.ts';

await walk(['docs/troubleshooting.md'], { installed: true });
