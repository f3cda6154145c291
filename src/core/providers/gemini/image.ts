import { AppError } from '../../kernel/errors.ts';
import type { OperationAdapter } from '../provider.ts';
import { readGenerateReply } from './decode-chat.ts';
import { chatForPicture, picturesOf } from './draw.ts';
import { writeGenerateBody } from './encode-chat.ts';
import { isImagen, readImagenReply, writeImagenBody } from './imagen.ts';
import { drawsImages } from './model-rules.ts';
import { geminiAddress, geminiHeaders } from './request.ts';

/** Imagen by `:predict`, Gemini's image models by a chat. Throws AppError('unsupported_feature') for other models. */
export const image: OperationAdapter<'image'> = {
  encode(request, call) {
    const to = { method: 'POST', headers: geminiHeaders(call) } as const;
    if (isImagen(call.model)) return { ...to, url: geminiAddress(call, call.model, 'predict'), body: writeImagenBody(request) };
    if (!drawsImages(call.model)) throw new AppError('unsupported_feature', { detail: `pictures (${call.model})` });
    const { model, body } = writeGenerateBody(chatForPicture(request, call.model), call);
    return { ...to, url: geminiAddress(call, model, 'generateContent'), body };
  },
  decode: (body, call) => (isImagen(call.model) ? readImagenReply(body) : picturesOf(readGenerateReply(body, ''))),
};
