import { createContext } from 'svelte';
import type { App } from './app.svelte.ts';

/** The window's state, for every component below the root. */
export const [useApp, provideApp] = createContext<App>();
