import { type ContentReply, type ContentRequest, contentReply } from './content-reply.ts';
import type { FileStore } from './store/file-store.ts';
import { isUploadPath } from './store/paths.ts';

/** A path never gets other content. */
const forever = 'public, max-age=31536000, immutable';

/** Sends uploads by their path behind `/uploads/`; null for paths that have none. */
export function bindOpenUpload(store: FileStore) {
  return async (path: string, request: ContentRequest): Promise<ContentReply | null> => {
    const file = isUploadPath(path) ? await store.open(path) : null;
    if (file === null) return null;
    const [name = '', extension] = (path.split('/').at(-1) ?? '').split('.');
    const type = extension === 'png' ? 'image/png' : 'image/jpeg';
    return contentReply(file, { type, tag: name, cacheControl: forever }, request);
  };
}
