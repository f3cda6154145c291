import { parentPort } from 'node:worker_threads';
import { countImages, countTexts } from './count.ts';
import type { CountReply, CountRequest } from './worker-messages.ts';

/** The thread that counts, one request at a time (token-counter.ts). */
const port = parentPort;
if (port === null) throw new Error('token-worker runs as a worker thread only');

port.on('message', ({ id, texts, images, encoding, family, imageRule }: CountRequest) => {
  // An error ends the thread, which tells the main thread that nothing was counted.
  void countTexts(texts, encoding, family).then((counted) => {
    const reply: CountReply = { id, texts: counted, images: countImages(images, imageRule) };
    port.postMessage(reply);
  });
});
