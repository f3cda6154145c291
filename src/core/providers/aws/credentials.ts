/** Keys of Bedrock channels and what they sign with (docs/rules/providers.md#bedrock-keys). */
import { AwsV4Signer } from 'aws4fetch';
import { splitKey } from '../../canonical/kit/split-key.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Secret } from '../../kernel/secret.ts';

export type Credentials =
  | { readonly type: 'bearer'; readonly token: string; readonly region: string }
  | {
      readonly type: 'signature';
      readonly accessKey: string;
      readonly secretKey: string;
      readonly region: string;
    };

/** Both forms, as people write them. */
export const keyExample = 'AccessKey|SecretKey|Region, or ApiKey|Region';

/** Throws AppError('invalid_channel_key'), which never repeats the key. */
export function readCredentials(key: Secret): Credentials {
  const parts = key.reveal().split('|').length;
  const credentials: Credentials =
    parts === 2
      ? { type: 'bearer', ...splitKey(key, ['token', 'region']) }
      : { type: 'signature', ...splitKey(key, ['accessKey', 'secretKey', 'region']) };
  // It becomes part of a host name.
  if (!/^[a-z]{2}(?:-[a-z0-9]+)+$/.test(credentials.region))
    throw new AppError('invalid_channel_key', { detail: keyExample });
  return credentials;
}

function bytesOf(body: UpstreamRequest['body']): Uint8Array<ArrayBuffer> {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return new Uint8Array(bytes);
}

/**
 * Signature version 4 over the exact bytes that are sent. An escaped path is escaped once more for
 * the signature, as every service but S3 requires.
 */
export async function signV4(
  request: UpstreamRequest,
  credentials: Extract<Credentials, { type: 'signature' }>,
  service: string,
  now: Date,
): Promise<UpstreamRequest> {
  const body = bytesOf(request.body);
  const contentType = request.headers['content-type'];
  const signed = await new AwsV4Signer({
    method: request.method,
    url: request.url,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    body,
    accessKeyId: credentials.accessKey,
    secretAccessKey: credentials.secretKey,
    service,
    region: credentials.region,
    datetime: now.toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  }).sign();
  const headers = { ...request.headers, ...Object.fromEntries(signed.headers) };
  return { ...request, headers, body: request.body === undefined ? undefined : body };
}

/** Adds what the channel's key proves itself with. */
export async function authorizeRequest(
  request: UpstreamRequest,
  key: Secret,
  now: Date,
  service = 'bedrock',
): Promise<UpstreamRequest> {
  const credentials = readCredentials(key);
  if (credentials.type === 'signature') return signV4(request, credentials, service, now);
  return {
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${credentials.token}` },
  };
}
