/** A file name made from a title, valid on every file system. */
export function fileName(title: string, ending: string): string {
  const bare = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${bare === '' ? 'graph' : bare}.${ending}`;
}

/** Says where a graph was saved. @param partial not all of its records were counted */
export const savedText = (path: string, partial: boolean): string =>
  partial ? `Saved as ${path}, with the records that were counted so far: it was not whole yet.` : `Saved as ${path}`;

interface Look {
  readonly background: string;
  readonly text: string;
  readonly font: string;
}

/** The chart with its title and legend on a background, as a picture. */
export async function toPicture(
  canvas: HTMLCanvasElement,
  title: string,
  legend: readonly { readonly name: string; readonly color: string }[],
  look: Look,
): Promise<Blob> {
  const scale = canvas.width / canvas.clientWidth;
  const head = 48 * scale;
  const sheet = document.createElement('canvas');
  sheet.width = canvas.width;
  sheet.height = canvas.height + head;
  const context = sheet.getContext('2d');
  if (context === null) throw new Error('The picture cannot be drawn.');
  context.fillStyle = look.background;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.drawImage(canvas, 0, head);
  context.scale(scale, scale);
  context.textBaseline = 'middle';
  context.fillStyle = look.text;
  context.font = `600 13px ${look.font}`;
  context.fillText(title, 12, 14);
  context.font = `11px ${look.font}`;
  let x = 12;
  for (const { name, color } of legend) {
    context.fillStyle = color;
    context.fillRect(x, 31, 8, 8);
    context.fillStyle = look.text;
    context.fillText(name, x + 12, 36);
    x += 28 + context.measureText(name).width;
  }
  return new Promise((done, failed) => {
    sheet.toBlob((blob) => (blob === null ? failed(new Error('The picture cannot be drawn.')) : done(blob)), 'image/png');
  });
}
