import type { GeneratedImage, ImageReply, ImageRequest } from '../../../canonical/calls.ts';
import { readDataUri } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { type FileFetcher, fetchFile } from '../../files/file-fetcher.ts';
import {
  type CallReplyContext,
  eventReply,
  jsonReply,
  type WrittenReply,
} from '../shared/call-reply.ts';

/**
 * An image in the requested form. One that cannot be fetched is returned by its address: it was
 * generated and is charged.
 */
async function inRequestedForm(
  image: GeneratedImage,
  request: ImageRequest,
  files: () => FileFetcher,
): Promise<GeneratedImage> {
  if (request.responseFormat !== 'b64_json' || image.data !== undefined || image.url === undefined)
    return image;
  const inline = readDataUri(image.url);
  if (inline !== undefined) return { ...image, url: undefined, data: inline.data };
  try {
    const { data } = await fetchFile(image.url, files());
    return { ...image, url: undefined, data };
  } catch {
    return image;
  }
}

function writeImageUsage(usage: Usage | undefined): JsonObject | undefined {
  if (usage?.promptTokens === undefined && usage?.completionTokens === undefined) return undefined;
  const {
    promptTokens: input = 0,
    completionTokens: output = 0,
    promptImageTokens: images = 0,
  } = usage;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { text_tokens: Math.max(0, input - images), image_tokens: images },
  };
}

export async function writeReply(
  kind: 'image_generation' | 'image_edit',
  reply: ImageReply,
  request: ImageRequest,
  { created, files, stream }: CallReplyContext,
): Promise<WrittenReply> {
  const effective = stream ? { ...request, responseFormat: 'b64_json' as const } : request;
  const images = await Promise.all(
    reply.images.map((image) => inRequestedForm(image, effective, files)),
  );
  const data = images.map(({ url, data, revisedPrompt }) =>
    compact({ url, b64_json: data, revised_prompt: revisedPrompt }),
  );
  const usage = writeImageUsage(reply.usage);
  if (!stream) return jsonReply(compact({ created, data, usage }));
  return eventReply(
    data.map((image) => ({ type: `${kind}.completed`, created_at: created, ...image, usage })),
  );
}
