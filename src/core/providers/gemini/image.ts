import type { ImageRequest } from '../../canonical/calls.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { readGenerateReply } from './decode-chat.ts';
import { chatForImage, imagesOf } from './draw.ts';
import { writeGenerateBody } from './encode-chat.ts';
import { isImagen, readImagenReply, writeImagenBody } from './imagen.ts';
import { geminiAddress, geminiHeaders } from './request.ts';

/**
 * Imagen by `:predict`, Gemini's image models by a chat, which edits as well. Throws
 * AppError('unsupported_feature') for others.
 */
export const image = {
  encode(request: ImageRequest, call: Call) {
    const to = { method: 'POST', headers: geminiHeaders(call) } as const;
    if (isImagen(call.model))
      return {
        ...to,
        url: geminiAddress(call, call.model, 'predict'),
        body: writeImagenBody(request),
      };
    const { model, body } = writeGenerateBody(chatForImage(request, call), call);
    return { ...to, url: geminiAddress(call, model, 'generateContent'), body };
  },
  decode: (body: unknown, call: Call) =>
    isImagen(call.model) ? readImagenReply(body) : imagesOf(readGenerateReply(body, '')),
} satisfies OperationAdapter<'image' | 'image-edit'>;
