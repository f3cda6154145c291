/**
 * The call that a conversation makes, to copy: in the API of each client, as curl, Python and
 * TypeScript.
 */
import { baseUrlOf, type ClientKind } from '../../../components/client-kinds.ts';
import type { SampleLanguage } from '../../../components/samples.ts';
import { type AttachedFile, type Attachment, partOf } from './attachment.ts';
import type { ChatMessage, ChatSettings } from './message.ts';

export interface ChatCode {
  /** The site's own address, without a path. */
  readonly site: string;
  /** With its `sk-`. */
  readonly key: string;
  readonly settings: Pick<ChatSettings, 'model' | 'system' | 'temperature' | 'maxTokens'>;
  readonly messages: readonly ChatMessage[];
}

const types: Readonly<Record<Attachment['kind'], string>> = {
  image: 'image/png',
  audio: 'audio/wav',
  pdf: 'application/pdf',
  text: 'text/plain',
};

/** Contents are too long to be copied: the name stands for them. */
function named(attachment: Attachment): AttachedFile {
  const { kind, name } = attachment;
  const content = kind === 'text' ? `<${name}>` : `data:${types[kind]};base64,<${name}>`;
  return { ...attachment, content };
}

interface Said {
  readonly isOwn: boolean;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** What was said, until the last message of the reader: the answer to it is what the call brings. */
function saidOf(messages: readonly ChatMessage[]): readonly Said[] {
  const end = messages.findLastIndex(({ role }) => role === 'user') + 1;
  return messages
    .slice(0, end)
    .map(({ role, content, attachments = [] }) => ({
      isOwn: role === 'user',
      text: content,
      attachments,
    }))
    .filter(({ text, attachments }) => text.trim() !== '' || attachments.length > 0);
}

const openAiContent = ({ text, attachments }: Said) =>
  attachments.length === 0
    ? text
    : [
        ...attachments.map((attachment) => partOf(named(attachment))),
        ...(text.trim() === '' ? [] : [{ type: 'text', text }]),
      ];

function anthropicPart({ kind, name }: Attachment): object {
  if (kind === 'text' || kind === 'audio') return { type: 'text', text: `<${name}>` };
  const source = { type: 'base64', media_type: types[kind], data: `<${name}>` };
  return { type: kind === 'image' ? 'image' : 'document', source };
}

const anthropicContent = ({ text, attachments }: Said) =>
  attachments.length === 0
    ? text
    : [...attachments.map(anthropicPart), ...(text.trim() === '' ? [] : [{ type: 'text', text }])];

const geminiPart = ({ kind, name }: Attachment): object =>
  kind === 'text'
    ? { text: `<${name}>` }
    : { inlineData: { mimeType: types[kind], data: `<${name}>` } };

type Body = Readonly<Record<string, unknown>>;
const systemOf = ({ system }: ChatCode['settings']) => (system.trim() === '' ? undefined : system);

/** The body of the call; of Gemini the arguments of its client, which curl has otherwise. */
const bodies: Readonly<Record<ClientKind, (code: ChatCode) => Body>> = {
  openai: ({ settings, messages }) => {
    const { model, temperature, maxTokens } = settings;
    const system = systemOf(settings);
    return {
      model,
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...saidOf(messages).map((said) => ({
          role: said.isOwn ? 'user' : 'assistant',
          content: openAiContent(said),
        })),
      ],
      max_tokens: maxTokens,
      temperature,
    };
  },
  anthropic: ({ settings, messages }) => {
    const { model, temperature, maxTokens } = settings;
    const system = systemOf(settings);
    return {
      model,
      ...(system !== undefined && { system }),
      messages: saidOf(messages).map((said) => ({
        role: said.isOwn ? 'user' : 'assistant',
        content: anthropicContent(said),
      })),
      max_tokens: maxTokens,
      temperature,
    };
  },
  gemini: ({ settings, messages }) => {
    const { model, temperature, maxTokens } = settings;
    const system = systemOf(settings);
    return {
      model,
      contents: saidOf(messages).map((said) => ({
        role: said.isOwn ? 'user' : 'model',
        parts: [
          ...said.attachments.map(geminiPart),
          ...(said.text.trim() === '' ? [] : [{ text: said.text }]),
        ],
      })),
      config: {
        ...(system !== undefined && { systemInstruction: system }),
        maxOutputTokens: maxTokens,
        temperature,
      },
    };
  },
};

/** What a body is at the HTTP API of Gemini. */
function geminiRequest({ contents, config }: Body): Body {
  const { systemInstruction, ...generationConfig } = config as Body;
  const parts = [{ text: systemInstruction }];
  return {
    contents,
    ...(systemInstruction !== undefined && { systemInstruction: { parts } }),
    generationConfig,
  };
}

const indented = (value: unknown, width: number) =>
  JSON.stringify(value, null, width).replaceAll('\n', `\n${' '.repeat(width)}`);
const asArguments = (body: Body) =>
  Object.entries(body)
    .map(([name, value]) => `    ${name}=${indented(value, 4)},\n`)
    .join('');
/** In shell, text between single quotes. */
const shell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf(kind: ClientKind, { site, key, settings }: ChatCode, body: Body): string {
  const base = baseUrlOf(kind, site);
  const [path, ...headers] = {
    openai: ['/chat/completions', `Authorization: Bearer ${key}`],
    anthropic: ['/v1/messages', `x-api-key: ${key}`, 'anthropic-version: 2023-06-01'],
    gemini: [
      `/v1beta/models/${encodeURI(settings.model)}:generateContent`,
      `x-goog-api-key: ${key}`,
    ],
  }[kind];
  const sent = kind === 'gemini' ? geminiRequest(body) : body;
  return [
    `curl ${base}${path}`,
    ...[...headers, 'Content-Type: application/json'].map((header) => `-H '${header}'`),
    `-d ${shell(JSON.stringify(sent, null, 2))}`,
  ].join(' \\\n  ');
}

const python: Readonly<Record<ClientKind, (base: string, key: string, body: string) => string>> = {
  openai: (base, key, body) => `from openai import OpenAI

client = OpenAI(base_url=${base}, api_key=${key})
reply = client.chat.completions.create(
${body})
print(reply.choices[0].message.content)`,
  anthropic: (base, key, body) => `from anthropic import Anthropic

client = Anthropic(base_url=${base}, api_key=${key})
reply = client.messages.create(
${body})
print(reply.content[0].text)`,
  gemini: (base, key, body) => `from google import genai

client = genai.Client(api_key=${key}, http_options={"base_url": ${base}})
reply = client.models.generate_content(
${body})
print(reply.text)`,
};

const typescript: typeof python = {
  openai: (base, key, body) => `import OpenAI from "openai";

const client = new OpenAI({ baseURL: ${base}, apiKey: ${key} });
const reply = await client.chat.completions.create(${body});
console.log(reply.choices[0].message.content);`,
  anthropic: (base, key, body) => `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: ${base}, apiKey: ${key} });
const reply = await client.messages.create(${body});
console.log(reply.content);`,
  gemini: (base, key, body) => `import { GoogleGenAI } from "@google/genai";

const client = new GoogleGenAI({ apiKey: ${key}, httpOptions: { baseUrl: ${base} } });
const reply = await client.models.generateContent(${body});
console.log(reply.text);`,
};

export function chatCode(kind: ClientKind, language: SampleLanguage, code: ChatCode): string {
  const body = bodies[kind](code);
  if (language === 'curl') return curlOf(kind, code, body);
  const base = JSON.stringify(baseUrlOf(kind, code.site));
  const key = JSON.stringify(code.key);
  return language === 'python'
    ? python[kind](base, key, asArguments(body))
    : typescript[kind](base, key, JSON.stringify(body, null, 2));
}
