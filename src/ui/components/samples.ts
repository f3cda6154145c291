/**
 * First calls to copy: for each kind of client as curl, Python and TypeScript, with the real key
 * and address.
 */
import { kindByName } from '../../core/models/kind-by-name.ts';
import type { ModelType } from '../../core/vocabulary/model-square.ts';
import { baseUrlOf, type ClientKind } from './client-kinds.ts';

export const sampleLanguages = ['curl', 'python', 'typescript'] as const;
export type SampleLanguage = (typeof sampleLanguages)[number];

export const languageNames: Readonly<Record<SampleLanguage, string>> = {
  curl: 'curl',
  python: 'Python',
  typescript: 'TypeScript',
};

interface SampleValues {
  /** The site's own address, without a path. */
  readonly site: string;
  /** With its `sk-`. */
  readonly key: string;
  readonly model: string;
}

/** In shell, text between single quotes. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** A JSON string is also a string of Python and of TypeScript. */
const quoted = (text: string) => JSON.stringify(text);

type Write = (values: SampleValues & { readonly base: string }) => string;

const samples: Readonly<Record<ClientKind, Readonly<Record<SampleLanguage, Write>>>> = {
  openai: {
    curl: ({ base, key, model }) => `curl ${base}/chat/completions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d ${shell(JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }))}`,
    python: ({ base, key, model }) => `from openai import OpenAI

client = OpenAI(
    base_url=${quoted(base)},
    api_key=${quoted(key)},
)
reply = client.chat.completions.create(
    model=${quoted(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
    typescript: ({ base, key, model }) => `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: ${quoted(base)},
  apiKey: ${quoted(key)},
});
const reply = await client.chat.completions.create({
  model: ${quoted(model)},
  messages: [{ role: "user", content: "Hello" }],
});
console.log(reply.choices[0].message.content);`,
  },
  anthropic: {
    curl: ({ base, key, model }) => `curl ${base}/v1/messages \\
  -H 'x-api-key: ${key}' \\
  -H 'anthropic-version: 2023-06-01' \\
  -H 'Content-Type: application/json' \\
  -d ${shell(JSON.stringify({ model, max_tokens: 1024, messages: [{ role: 'user', content: 'Hello' }] }))}`,
    python: ({ base, key, model }) => `from anthropic import Anthropic

client = Anthropic(
    base_url=${quoted(base)},
    api_key=${quoted(key)},
)
reply = client.messages.create(
    model=${quoted(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.content[0].text)`,
    typescript: ({ base, key, model }) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: ${quoted(base)},
  apiKey: ${quoted(key)},
});
const reply = await client.messages.create({
  model: ${quoted(model)},
  max_tokens: 1024,
  messages: [{ role: "user", content: "Hello" }],
});
console.log(reply.content);`,
  },
  gemini: {
    curl: ({
      base,
      key,
      model,
    }) => `curl ${base}/v1beta/models/${encodeURI(model)}:generateContent \\
  -H 'x-goog-api-key: ${key}' \\
  -H 'Content-Type: application/json' \\
  -d ${shell(JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }))}`,
    python: ({ base, key, model }) => `from google import genai

client = genai.Client(
    api_key=${quoted(key)},
    http_options={"base_url": ${quoted(base)}},
)
reply = client.models.generate_content(
    model=${quoted(model)},
    contents="Hello",
)
print(reply.text)`,
    typescript: ({ base, key, model }) => `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({
  apiKey: ${quoted(key)},
  httpOptions: { baseUrl: ${quoted(base)} },
});
const reply = await client.models.generateContent({
  model: ${quoted(model)},
  contents: "Hello",
});
console.log(reply.text);`,
  },
};

export function sampleOf(kind: ClientKind, language: SampleLanguage, values: SampleValues): string {
  return samples[kind][language]({ ...values, base: baseUrlOf(kind, values.site) });
}

/** Stands for the reader's key where none is known. */
export const sampleKey = 'sk-YOUR-KEY';

/** Calls of models that do not chat, by what they are for. */
const curls: Readonly<
  Record<Exclude<ModelType, 'chat'>, (model: string) => readonly [path: string, body: object]>
> = {
  image: (model) => ['/v1/images/generations', { model, prompt: 'A lighthouse at dusk', n: 1 }],
  video: (model) => ['/v1/video/generations', { model, prompt: 'Waves rolling onto a beach' }],
  audio: (model) => ['/v1/audio/speech', { model, input: 'Hello', voice: 'alloy' }],
  embedding: (model) => ['/v1/embeddings', { model, input: 'Hello' }],
  rerank: (model) => ['/v1/rerank', { model, query: 'fruit', documents: ['apple', 'car'] }],
};
/** Models of this kind take a file. */
const transcribes = /whisper|transcri|-asr/i;

export function curlOf(
  type: Exclude<ModelType, 'chat'>,
  { site, key, model }: SampleValues,
): string {
  const base = site.replace(/\/+$/, '');
  const login = `-H 'Authorization: Bearer ${key}'`;
  if (type === 'audio' && transcribes.test(model))
    return `curl ${base}/v1/audio/transcriptions \\\n  ${login} \\\n  -F file=@speech.mp3 \\\n  -F ${shell(`model=${model}`)}`;
  const [path, body] = curls[type](model);
  return `curl ${base}${path} \\\n  ${login} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shell(JSON.stringify(body))}`;
}

/** What a reader of such a sample expects to see. Any model works: formats are converted. */
const usual: Readonly<Record<ClientKind, RegExp>> = {
  openai: /(^|\/)(gpt|chatgpt|o\d)/i,
  anthropic: /(^|\/)claude/i,
  gemini: /(^|\/)gemini/i,
};

/**
 * A model of the site for a sample: one of the client's own vendor, else one that chats, else the
 * first.
 */
export function sampleModel(kind: ClientKind, models: readonly string[]): string | undefined {
  const chat = models.filter((model) => kindByName(model) === undefined && !/audio/i.test(model));
  return chat.find((model) => usual[kind].test(model)) ?? chat[0] ?? models[0];
}
