/**
 * The canonical form of all other calls (embeddings, images, audio, reranking), and the list of all
 * operations.
 */
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { ChatRequest } from './chat.ts';
import type { ChatReply } from './chat-reply.ts';
import type { Usage } from './usage.ts';

export interface EmbeddingRequest {
  readonly model: string;
  /** Texts, or token lists where the caller sent tokens. */
  readonly input: readonly (string | readonly number[])[];
  /** The same as texts, for upstreams that take no tokens. Absent: `input` holds texts only. */
  readonly texts?: readonly string[];
  readonly dimensions?: number;
  readonly encodingFormat?: 'float' | 'base64';
  readonly user?: string;
  readonly extra: JsonObject;
}
export interface EmbeddingReply {
  readonly model?: string;
  readonly embeddings: readonly (readonly number[] | string)[];
  readonly usage?: Usage;
}

/** A file a caller sent: a part of a multipart body, or what an address or a data URI held. */
export interface MediaFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** `images/generations`, and `images/edits` where `images` is not empty. */
export interface ImageRequest {
  readonly model: string;
  readonly prompt: string;
  /** Number of images; absent: 1. */
  readonly count?: number;
  /** `1024x1024`, as OpenAI writes it. */
  readonly size?: string;
  readonly quality?: string;
  readonly style?: string;
  readonly background?: string;
  /** How images are handed over; absent: as the provider does. */
  readonly responseFormat?: 'url' | 'b64_json';
  /** `png`, `jpeg`, `webp`. */
  readonly outputFormat?: string;
  readonly user?: string;
  /** Edits only: what is edited. */
  readonly images?: readonly MediaFile[];
  readonly mask?: MediaFile;
  readonly extra: JsonObject;
}
export interface GeneratedImage {
  /** At least one of `url` and `data` (base64). */
  readonly url?: string;
  readonly data?: string;
  readonly mediaType?: string;
  readonly revisedPrompt?: string;
}
export interface ImageReply {
  readonly images: readonly GeneratedImage[];
  readonly usage?: Usage;
}

export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  readonly voice?: string;
  readonly instructions?: string;
  readonly speed?: number;
  /** `mp3`, `opus`, `aac`, `flac`, `wav`, `pcm`; absent: mp3. */
  readonly format?: string;
  readonly extra: JsonObject;
}
export interface SpeechReply {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly usage?: Usage;
}

/** Transcription (in the audio's language) and translation (into English). */
export interface TranscriptionRequest {
  readonly model: string;
  readonly file: MediaFile;
  readonly language?: string;
  readonly prompt?: string;
  readonly temperature?: number;
  /** `json`, `text`, `srt`, `verbose_json`, `vtt`; absent: json. */
  readonly responseFormat?: string;
  /** Other form fields as they came. */
  readonly extra: JsonObject;
}
export interface TranscriptionReply {
  readonly text: string;
  readonly language?: string;
  /** Seconds. */
  readonly duration?: number;
  /** As OpenAI's `verbose_json` has them. */
  readonly segments?: JsonValue;
  readonly words?: JsonValue;
  readonly usage?: Usage;
}

export interface RerankRequest {
  readonly model: string;
  readonly query: string;
  /** Texts, or objects with a `text` field (or images, for providers that take them). */
  readonly documents: readonly (string | JsonObject)[];
  /** Absent: all documents. */
  readonly topCount?: number;
  readonly returnDocuments?: boolean;
  readonly extra: JsonObject;
}
export interface RerankReply {
  readonly results: readonly {
    readonly index: number;
    readonly score: number;
    readonly document?: string | JsonObject;
  }[];
  readonly usage?: Usage;
}

/** Canonical forms per operation, by its name in the vocabulary. A new kind of call is one line. */
export interface Operations {
  chat: { request: ChatRequest; reply: ChatReply };
  embedding: { request: EmbeddingRequest; reply: EmbeddingReply };
  image: { request: ImageRequest; reply: ImageReply };
  'image-edit': { request: ImageRequest; reply: ImageReply };
  speech: { request: SpeechRequest; reply: SpeechReply };
  transcription: { request: TranscriptionRequest; reply: TranscriptionReply };
  translation: { request: TranscriptionRequest; reply: TranscriptionReply };
  rerank: { request: RerankRequest; reply: RerankReply };
}
export type CanonicalOperation = keyof Operations;
