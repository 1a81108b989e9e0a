import type { Locator } from 'playwright-core';

/** A place in an element, in pixels from its upper left corner. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** Drags the pointer from one place of an element to another one, once it stands still. */
export async function drag(element: Locator, from: Place, to: Place): Promise<void> {
  const { mouse } = element.page();
  await element.hover({ position: from });
  const box = await element.boundingBox();
  if (box === null) throw new Error('the element is not drawn');
  await mouse.down();
  await mouse.move(box.x + to.x, box.y + to.y, { steps: 5 });
  await mouse.up();
}

/** The place in the middle of an element's width. */
export async function middle(element: Locator, y: number): Promise<Place> {
  const width = await element.evaluate(({ clientWidth }) => clientWidth);
  return { x: Math.floor(width / 2), y };
}
