/** What there is to count of a conversation. */
import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  ResponseFormat,
  Tool,
  ToolResultPart,
  UserPart,
} from '../canonical/chat.ts';
import type { Countable, Image } from './countable.ts';
import { imageTokens } from './image-tokens.ts';

/**
 * Tokens that the parts of a conversation count besides their texts; each caller's format declares
 * its own.
 */
export interface MessageOverheads {
  readonly message: number;
  readonly systemMessage: number;
  readonly tool: number;
  /** Tokens with which the answer is begun. */
  readonly priming: number;
  /** An image for a model without a rule for them. */
  readonly image: number;
}

/** Of OpenAI's chat: three tokens around a message, and one for its role. */
export const chatOverheads: MessageOverheads = {
  message: 4,
  systemMessage: 4,
  tool: 8,
  priming: 3,
  image: 520,
};

const audioTokens = 256;
const fileTokens = 4096;
const videoTokens = 8192;

/**
 * Characters of an image's base64 that are read: the header before a photo's size is rarely longer.
 */
const headLength = 128 * 1024;
/** Images whose size is read; further ones are counted as images by URL are. */
const mostImages = 32;

class Collector {
  readonly texts: string[] = [];
  readonly images: Image[] = [];
  tokens = 0;
  readonly #model: string;
  readonly #overheads: MessageOverheads;

  constructor(model: string, overheads: MessageOverheads) {
    this.#model = model;
    this.#overheads = overheads;
  }

  addText(text: string | undefined): void {
    if (text !== undefined && text !== '') this.texts.push(text);
  }

  addMessage(message: ChatMessage): void {
    const { message: usual, systemMessage } = this.#overheads;
    this.tokens += message.role === 'system' ? systemMessage : usual;
    if (
      (message.role === 'user' || message.role === 'assistant') &&
      message.name &&
      message.content.length > 0
    ) {
      this.tokens += 1;
      this.addText(message.name);
    }
    for (const part of message.content) this.#addPart(part);
  }

  addTool(tool: Tool): void {
    this.tokens += this.#overheads.tool;
    if (tool.type === 'foreign') return this.addText(JSON.stringify(tool.raw));
    if (tool.type !== 'function') return;
    this.addText(tool.name);
    this.addText(tool.description);
    if (tool.parameters !== undefined) this.addText(JSON.stringify(tool.parameters));
    // A free-form tool describes its input by a grammar, which may be long.
    const { freeform, namespace, raw } = tool.source ?? {};
    if (freeform === true && namespace === undefined) this.addText(JSON.stringify(raw));
  }

  addFormat(format: ResponseFormat): void {
    if (format.type !== 'json-schema') return;
    this.addText(format.description);
    this.addText(JSON.stringify(format.schema));
  }

  #addPart(part: UserPart | AssistantPart | ToolResultPart): void {
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        return this.addText(part.text);
      case 'tool-call':
        this.addText(part.name);
        return this.addText(part.arguments);
      case 'image':
        return this.#addImage(part);
      case 'audio':
        this.tokens += audioTokens;
        return;
      case 'file':
        return this.#addFile(part);
    }
  }

  #addImage({ data, detail }: ImagePart): void {
    const flat = imageTokens(this.#model, undefined, detail);
    if (flat === undefined || data === undefined || this.images.length === mostImages) {
      this.tokens += flat ?? this.#overheads.image;
      return;
    }
    this.images.push({
      head: data.slice(0, headLength),
      ...(detail === undefined ? {} : { detail }),
    });
  }

  #addFile({ text, mediaType = '' }: FilePart): void {
    if (text !== undefined) return this.addText(text);
    if (mediaType.startsWith('video/')) this.tokens += videoTokens;
    else this.tokens += mediaType.startsWith('audio/') ? audioTokens : fileTokens;
  }
}

/** What there is to count of a conversation. `model`: the name the caller knows. */
export function countableChat(
  { messages, tools = [], responseFormat }: ChatRequest,
  model: string,
  overheads: MessageOverheads,
): Countable {
  const collector = new Collector(model, overheads);
  for (const message of messages) collector.addMessage(message);
  for (const tool of tools) collector.addTool(tool);
  if (responseFormat !== undefined) collector.addFormat(responseFormat);
  const { texts, images, tokens } = collector;
  return { texts, images, tokens: tokens + overheads.priming };
}
