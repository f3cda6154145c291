import { once } from 'node:events';
import type { Download } from '../../../files/results/download.ts';
import { headerText, type ResponseHeaders, replyTooLarge } from '../../../upstream/exchange.ts';
import type { ClientReply } from '../../client/client.ts';

/** Bytes; of an error only the beginning is sent on. */
const largestMedia = 50 * 1024 * 1024;
const largestError = 4096;

/**
 * Sends a file to the caller as it comes, with the upstream's status where it is an error. What
 * `headersFor` throws refuses the file. Throws also amid the reply.
 */
export async function sendMedia(
  { status, headers, body }: Download,
  response: ClientReply,
  headersFor: (status: number, headers: ResponseHeaders) => Record<string, string>,
): Promise<void> {
  let left = status === 200 ? largestMedia : largestError;
  try {
    if (status === 200 && Number(headerText(headers, 'content-length') || 0) > left)
      throw replyTooLarge(left);
    response.writeHead(status === 200 ? 200 : errorStatus(status), headersFor(status, headers));
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (chunk.length > left && status === 200) throw replyTooLarge(largestMedia);
      const sent = chunk.subarray(0, left);
      left -= sent.length;
      if (!response.write(sent)) await Promise.race([once(response, 'drain'), once(body, 'close')]);
      if (left === 0 && status !== 200) break;
    }
    response.end();
  } finally {
    body.destroy();
  }
}

function errorStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502;
}
