import type { App } from '../../core/app.ts';
import type { filesApi } from '../../core/contract/files.ts';
import { actorOf, type Handlers } from './context.ts';

export function fileHandlers({ files }: App): Handlers<typeof filesApi> {
  return {
    uploadImage: async ({ images }, context) => {
      const saved = await files.saveImages(actorOf(context).id, images);
      return {
        full_url: saved[0]?.fullUrl ?? '',
        url: saved[0]?.url ?? '',
        files: saved.map(({ fullUrl, name, size }) => ({ full_url: fullUrl, name, size })),
      };
    },
  };
}
