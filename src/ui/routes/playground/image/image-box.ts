/** The image runs of a user in this browser: what was paid is there after a reload. */
import { asPromise, withBox } from '../box.ts';
import type { ImageBox, ImageRun } from './image-store.ts';

type Stored = ImageRun & { readonly userId: number };

/** Where the browser keeps nothing, runs last until the page is left. */
export function imageBox(userId: number): ImageBox {
  return {
    all: () =>
      withBox('images', async (runs) => {
        const all = (await asPromise(runs.getAll())) as Stored[];
        return all.filter((run) => run.userId === userId);
      }).catch(() => []),
    put: (run) =>
      withBox('images', (runs) => asPromise(runs.put({ ...run, userId }))).then(
        () => undefined,
        () => undefined,
      ),
    remove: (id) => withBox('images', (runs) => asPromise(runs.delete(id))).catch(() => undefined),
  };
}
