/** Sends files with a call, and reports how much of them has been sent: `fetch` cannot tell. */
import { CallError, openEnvelope, type RawReply } from '../../core/contract/envelope.ts';
import { imageUpload, imageUploadPath } from '../../core/vocabulary/image-upload.ts';
import { currentLanguage } from '../i18n/index.ts';
import { reportConnection } from './connection.ts';
import { loginOfCall } from './login-of-call.ts';
import { currentUser } from './session.ts';

export interface UploadedImage {
  /** From the root of the site: `/uploads/…`. */
  readonly url: string;
}

export interface UploadOptions {
  /** Called with the part that was sent, from 0 to 1. */
  readonly onProgress?: (part: number) => void;
  readonly signal?: AbortSignal;
}

/** Throws CallError, and the signal's reason if it aborts. */
export async function uploadImage(
  image: File,
  options: UploadOptions = {},
): Promise<UploadedImage> {
  const form = new FormData();
  form.append(imageUpload.field, image);
  const checkLogin = loginOfCall();
  const reply = await sendForm(form, options);
  checkLogin(reply.status);
  const { output } = openEnvelope({}, reply);
  return output as UploadedImage;
}

function sendForm(form: FormData, { onProgress, signal }: UploadOptions): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', imageUploadPath);
    request.setRequestHeader('Accept-Language', currentLanguage());
    const user = currentUser();
    if (user !== null) request.setRequestHeader('New-Api-User', String(user.id));
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress?.(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      reportConnection(true);
      const requestId = request.getResponseHeader('X-Oneapi-Request-Id') ?? undefined;
      resolve({ status: request.status, body: parse(request.responseText), requestId });
    };
    request.onerror = () => {
      reportConnection(false);
      reject(new CallError('', 0, 'gateway_unreachable'));
    };
    request.onabort = () => reject(signal?.reason as Error);
    if (signal?.aborted) return reject(signal.reason as Error);
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the page of a proxy
  }
}
