/** Signed requests to one bucket. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '../kernel/errors.ts';
import type { BackupConfig } from './backup-place.ts';
import { textOf } from './xml-text.ts';

/** Part of a file, which is read once for its hash and once for each try. */
export interface FilePiece {
  readonly length: number;
  readonly open: () => Readable;
}

export interface S3Call {
  readonly method: string;
  /** Undefined: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly content?: string | FilePiece;
}

/** Both reject with AppError backup_place, with the store's own words where it refuses. */
export interface S3Client {
  /** A reply whose body is to be read. */
  send(call: S3Call): Promise<Response>;
  /** The text of the reply. */
  call(call: S3Call): Promise<string>;
}

/** Tries of a call, and ms before the next: stores ask for it with 503. */
const tries = 3;
const pause = 1000;
/** ms that a store may take to answer, once it has the whole request. */
const replyLimit = 300_000;

export function createS3Client(config: BackupConfig, bucket: string, place: string): S3Client {
  const base = `${config.backupS3Endpoint.replace(/\/+$/, '')}/${bucket}`;

  const sendOnce = async ({ method, key, query, content }: S3Call): Promise<Response> => {
    const path = key === undefined ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`;
    const url = new URL(base + path);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content?.length;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      service: 's3',
      region: config.backupS3Region,
      accessKeyId: config.backupS3AccessKey,
      secretAccessKey: config.backupS3SecretKey,
      headers: { 'x-amz-content-sha256': await hashOf(content) },
    }).sign();
    const headers = new Headers(signed.headers);
    if (length !== undefined) headers.set('content-length', String(length));
    const body =
      content === undefined || typeof content === 'string'
        ? content
        : Readable.toWeb(content.open());
    return fetch(signed.url, {
      method,
      headers,
      redirect: 'error',
      duplex: 'half',
      ...(body !== undefined && { body }),
      ...(body === undefined && { signal: AbortSignal.timeout(replyLimit) }),
    } as RequestInit);
  };

  const send = async (call: S3Call): Promise<Response> => {
    for (let tried = 1; ; tried += 1) {
      const reply = await sendOnce(call).catch((error: unknown) => error);
      if (reply instanceof Response && reply.ok) return reply;
      const problem =
        reply instanceof Response ? await refusal(reply, place) : unreachable(reply, place);
      const isPassing = !(reply instanceof Response) || reply.status >= 500 || reply.status === 429;
      if (!isPassing || tried === tries) throw problem;
      await sleep(pause);
    }
  };
  return {
    send,
    call: async (given) => {
      const text = await (await send(given)).text();
      // A long call may be refused after its reply has begun with 200.
      if (/<Error>/.test(text)) throw refused(text, 200, place);
      return text;
    },
  };
}

async function hashOf(content: S3Call['content']): Promise<string> {
  const hash = createHash('sha256');
  if (typeof content === 'string') hash.update(content);
  else if (content !== undefined && content.length > 0)
    for await (const chunk of content.open()) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const refusal = async (reply: Response, place: string): Promise<AppError> =>
  refused(await reply.text().catch(() => ''), reply.status, place);

function refused(text: string, status: number, place: string): AppError {
  const words = [textOf(text, 'Code'), textOf(text, 'Message')].filter((part) => part !== '');
  return new AppError('backup_place', {
    place,
    detail: words.length === 0 ? `HTTP ${status}` : words.join(': ').slice(0, 300),
  });
}

/** The error of a request or a reply that broke off. */
export function unreachable(error: unknown, place: string): AppError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new AppError('backup_place', { place, detail: detail.slice(0, 300) }, { cause: error });
}
