/**
 * A content of a stored response as the text that storage seals: JSON, compressed where that pays.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type JsonObject, type JsonValue, parseJson } from '../../kernel/json.ts';

export interface ResponseContent {
  /** `input` of its request as the caller sent it. */
  readonly input: JsonValue;
  /** The response object that the caller got. */
  readonly response: JsonObject;
}

/** Shorter texts are not compressed. */
const shortest = 512;
/** The first character of a text: how it is written. */
const plain = 'p';
const zstd = 'z';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** '' stays ''. */
export async function packJson(json: string): Promise<string> {
  if (json === '') return '';
  return json.length < shortest ? plain + json : zstd + (await compress(json)).toString('base64');
}

export async function unpackJson(text: string): Promise<JsonValue> {
  const rest = text.slice(1);
  const json = text.startsWith(zstd)
    ? (await decompress(Buffer.from(rest, 'base64'))).toString('utf8')
    : rest;
  return (parseJson(json) ?? null) as JsonValue;
}
