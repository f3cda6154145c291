/**
 * A bucket over HTTP as Amazon describes it (Signature Version 4, ListObjectsV2, multipart uploads;
 * docs.aws.amazon.com/AmazonS3/latest/API). Every request's signature and the hash of its body are
 * checked, by code of its own.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface S3Store {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** `METHOD path?query` of every request that was accepted or refused. */
  readonly requests: string[];
  /** Multipart uploads that are neither completed nor given up. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  /** The next answers, instead of what the store would do. */
  readonly faults: ((request: IncomingMessage, response: ServerResponse) => boolean)[];
  close(): Promise<void>;
}

export const s3Keys = { accessKey: 'AKTEST', secretKey: 'the/secret+key', region: 'eu-test-1' };
/** Objects in a page of a list. */
const pageSize = 3;

const hmac = (key: Buffer | string, text: string) =>
  createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The code of the refusal; undefined: signed as it should be. */
function refusalOf(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (found === null) return 'AccessDenied';
  const [, key, day = '', region = '', names = '', signature] = found;
  if (key !== s3Keys.accessKey) return 'InvalidAccessKeyId';
  if (region !== s3Keys.region) return 'AuthorizationHeaderMalformed';
  const hash = String(request.headers['x-amz-content-sha256']);
  if (hash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  if (Number(request.headers['content-length'] ?? 0) !== body.length) return 'IncompleteBody';
  const time = String(request.headers['x-amz-date']);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
    .join('');
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)));
  const canonical = [request.method, path.join('/'), query, headers, names, hash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signing = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${s3Keys.secretKey}`,
  );
  if (Math.abs(Date.now() - timeOf(time)) > 15 * 60_000) return 'RequestTimeTooSkewed';
  return hmac(signing, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}

const timeOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

export async function startS3Store(bucket = 'backups'): Promise<S3Store> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const requests: string[] = [];
  const faults: S3Store['faults'][number][] = [];
  let serial = 0;

  const refuse = (response: ServerResponse, status: number, code: string) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>Refused by the test</Message></Error>`);
  };
  const list = (url: URL): string => {
    const prefix = url.searchParams.get('prefix') ?? '';
    const after = url.searchParams.get('continuation-token') ?? '';
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(prefix) && name > after)
      .sort();
    const page = names.slice(0, pageSize);
    const items = page.map(
      (name) =>
        `<Contents><Key>${name.replaceAll('&', '&amp;')}</Key><Size>${objects.get(name)?.length}</Size></Contents>`,
    );
    const isCut = names.length > page.length;
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${items.join('')}</ListBucketResult>`;
  };
  const answer = (request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer) => {
    const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const { method } = request;
    const id = url.searchParams.get('uploadId') ?? '';
    if (name !== bucket) return refuse(response, 404, 'NoSuchBucket');
    if (key === '') return response.end(list(url));
    if (method === 'POST' && url.searchParams.has('uploads')) {
      uploads.set(`upload-${++serial}`, new Map());
      const begun = `<UploadId>upload-${serial}</UploadId>`;
      return response.end(
        `<InitiateMultipartUploadResult>${begun}</InitiateMultipartUploadResult>`,
      );
    }
    const parts = uploads.get(id);
    if (id !== '' && parts === undefined) return refuse(response, 404, 'NoSuchUpload');
    if (parts !== undefined && method === 'PUT') {
      parts.set(Number(url.searchParams.get('partNumber')), body);
      return response.writeHead(200, { etag: `"${sha256(body)}"` }).end();
    }
    if (parts !== undefined && method === 'DELETE') {
      uploads.delete(id);
      return response.writeHead(204).end();
    }
    if (parts !== undefined && method === 'POST') {
      const named = [
        ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&#34;(\w+)&#34;/g),
      ];
      const given = named.map(([, number, tag]) => ({ part: parts.get(Number(number)), tag }));
      if (given.some(({ part, tag }) => part === undefined || sha256(part) !== tag))
        return refuse(response, 200, 'InvalidPart');
      objects.set(key, Buffer.concat(given.map(({ part }) => part ?? Buffer.alloc(0))));
      uploads.delete(id);
      return response.end('<CompleteMultipartUploadResult/>');
    }
    if (method === 'PUT') objects.set(key, body);
    else if (method === 'DELETE') objects.delete(key);
    else if (!objects.has(key)) return refuse(response, 404, 'NoSuchKey');
    return response.end(method === 'GET' ? objects.get(key) : '');
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://store');
    const body = await buffer(request);
    requests.push(`${request.method} ${request.url}`);
    if (faults[0]?.(request, response) === true) {
      faults.shift();
      return;
    }
    const refused = refusalOf(request, url, body);
    if (refused !== undefined) refuse(response, 403, refused);
    else answer(request, response, url, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    uploads,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
