/** Parses a received multipart body with the platform's parser. */
import type { ReceivedRequest } from './upstream.ts';

export async function readFormOf(request: ReceivedRequest | undefined): Promise<FormData> {
  const headers = { 'content-type': String(request?.headers['content-type']) };
  return new Response(new Uint8Array(request?.bytes ?? []), { headers }).formData();
}

export async function bytesOf(value: FormDataEntryValue | null): Promise<Buffer> {
  if (!(value instanceof Blob)) throw new Error('not a file');
  return Buffer.from(await value.arrayBuffer());
}
