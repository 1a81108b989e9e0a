/** A file name made from a title, valid on every file system. */
export function fileName(title: string, ending: string): string {
  const bare = title.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${bare === '' ? 'graph' : bare}.${ending}`;
}

/** Says where a graph was saved. @param partial not all of its records were counted */
export const savedText = (path: string, partial: boolean): string =>
  partial ? `Saved as ${path}, with the records that were counted so far: it was not whole yet.` : `Saved as ${path}`;

/** A plot with what is written above it. */
export interface PlotPicture {
  readonly canvas: HTMLCanvasElement;
  readonly title: string;
  readonly legend: readonly { readonly name: string; readonly color: string }[];
  readonly look: Look;
}

interface Look {
  readonly background: string;
  readonly text: string;
  readonly font: string;
}

/** Pixels above each plot. */
const HEAD = 48;

/** Plots one below the other, each with its title and legend, on a background, as a PNG. */
export async function toPicture(plots: readonly PlotPicture[]): Promise<Blob | null> {
  const [first] = plots;
  if (first === undefined) return null;
  const scale = first.canvas.width / first.canvas.clientWidth;
  const sheet = document.createElement('canvas');
  sheet.width = first.canvas.width;
  sheet.height = plots.reduce((sum, { canvas }) => sum + canvas.height + HEAD * scale, 0);
  const context = sheet.getContext('2d');
  if (context === null) throw new Error('The picture cannot be drawn.');
  context.fillStyle = first.look.background;
  context.fillRect(0, 0, sheet.width, sheet.height);
  for (const plot of plots) {
    context.drawImage(plot.canvas, 0, HEAD * scale);
    context.save();
    context.scale(scale, scale);
    drawHead(context, plot);
    context.restore();
    context.translate(0, plot.canvas.height + HEAD * scale);
  }
  return new Promise((done, failed) => {
    sheet.toBlob((blob) => (blob === null ? failed(new Error('The picture cannot be drawn.')) : done(blob)), 'image/png');
  });
}

function drawHead(context: CanvasRenderingContext2D, { title, legend, look }: PlotPicture): void {
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
}
