import type { FileOutput } from './endpoint.ts';

/**
 * The download in a reply of shape `file`, decoded as it arrives; undefined if the call was refused
 * and the reply is an envelope. Iterating throws what fetch throws when the connection breaks off.
 */
export function readFileReply(response: Response): FileOutput | undefined {
  const type = response.headers.get('content-type') ?? '';
  const { body } = response;
  if (!response.ok || body === null || /^application\/json\b/.test(type)) return undefined;
  const name =
    /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download';
  const total = response.headers.get('x-total-count');
  return { name, type, total: total === null ? undefined : Number(total), chunks: decode(body) };
}

async function* decode(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  // The byte order mark is content: it is what Excel looks for.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel();
  }
}
