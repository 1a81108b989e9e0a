import type X from '@lucide/svelte/icons/x';

/** Any icon of the set, as a property of a component that draws it. */
export type IconComponent = typeof X;
