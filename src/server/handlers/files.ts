import type { App } from '../../core/app.ts';
import type { filesApi } from '../../core/contract/files.ts';
import { actorOf, type Handlers, pageReply, pageRequest } from './context.ts';

export function fileHandlers({ files }: App): Handlers<typeof filesApi> {
  return {
    list: async (input) =>
      pageReply(
        await files.page(input.user_id, pageRequest(input.p, input.page_size)),
        input,
        (upload) => ({
          url: upload.url,
          user_id: upload.userId,
          mime: upload.mime,
          size: upload.bytes,
          width: upload.width,
          height: upload.height,
          created_at: upload.createdAt,
          expires_at: upload.expiresAt,
        }),
      ),
    usage: () => files.usage(),
    clean: async (_input, context) => ({ deleted: await files.cleanFor(actorOf(context)) }),
    showForeign: async ({ address }, context) => ({
      url: await files.foreign.link(actorOf(context).id, address),
    }),
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
