/**
 * Images and documents that came as bytes are uploaded, and named by their ids then
 * (docs/rules/providers.md#dify-files).
 */

import type { MediaFile } from '../../canonical/calls.ts';
import type {
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  UserPart,
} from '../../canonical/chat.ts';
import { writeMultipart } from '../../canonical/kit/multipart.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import { joinVersioned } from '../../canonical/kit/request-target.ts';
import type { Call, Effects } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { newMessages, userOf } from './encode-chat.ts';
import { readDifyFailure } from './failure.ts';

function fileOf(part: ImagePart | FilePart, data: string): MediaFile {
  const mediaType = part.mediaType ?? (part.type === 'image' ? 'image/png' : 'application/pdf');
  const named = part.type === 'file' ? part.filename : undefined;
  const filename = named ?? `${part.type}.${mediaType.slice(mediaType.indexOf('/') + 1)}`;
  return { filename, mediaType, bytes: Buffer.from(data, 'base64') };
}

async function uploadFile(
  file: MediaFile,
  user: string,
  call: Call,
  effects: Effects,
): Promise<string> {
  const form = writeMultipart([
    ['file', file],
    ['user', user],
  ]);
  const url = joinVersioned(call.baseUrl, '/v1/files/upload');
  const headers = {
    accept: 'application/json',
    ...bearerHeaders(call),
    'content-type': form.contentType,
  };
  const body = recordOf(
    await requestJson(effects, { method: 'POST', url, headers, body: form.bytes }, readDifyFailure),
  );
  const id = textOf(body?.id);
  if (id === undefined)
    throw new AppError('bad_response_body', { detail: 'the uploaded file has no id' });
  return id;
}

/**
 * The messages that Dify does not have yet, with every file that came as bytes uploaded. Throws
 * what {@link requestJson} throws.
 */
export async function uploadFiles(
  request: ChatRequest,
  call: Call,
  effects: Effects,
): Promise<ChatRequest> {
  const upload = async (part: UserPart): Promise<UserPart> => {
    if ((part.type !== 'image' && part.type !== 'file') || part.data === undefined) return part;
    const fileId = await uploadFile(fileOf(part, part.data), userOf(request), call, effects);
    return { ...part, data: undefined, fileId };
  };
  const uploadAll = async (message: ChatMessage): Promise<ChatMessage> =>
    message.role === 'user'
      ? { ...message, content: await Promise.all(message.content.map(upload)) }
      : message;
  return { ...request, messages: await Promise.all(newMessages(request).map(uploadAll)) };
}
