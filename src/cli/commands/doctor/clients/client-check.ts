/**
 * What a check of a client is: the request that the client sends, and what it needs of the reply.
 */
import { isObject, parseObject } from '../../../../core/kernel/json.ts';
import type { Text } from '../../../base/text.ts';

export type Loose = Readonly<Record<string, unknown>>;

export interface ClientRequest {
  readonly path: string;
  /** Absent: a GET request. */
  readonly body?: object;
  /** Asks for a WebSocket. */
  readonly upgrade?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The body, if it is one JSON object; else {}. */
  readonly json: Loose;
  /** The JSON objects of a stream. */
  readonly events: readonly Loose[];
}

export interface ClientCheck {
  readonly id: string;
  readonly title: Text;
  /** The client works without it. */
  readonly optional?: boolean;
  /** Statuses that are as good as 200. */
  readonly accepts?: readonly number[];
  /** Undefined: it builds on an earlier reply that is missing. */
  request(earlier: ReadonlyMap<string, Reply>): ClientRequest | undefined;
  /** What the client lacks; undefined: nothing. */
  missing(reply: Reply): Text | undefined;
  /** What to do about that. */
  readonly mend: Text;
}

/** Settings as they are written: lines for a shell, or a file. */
export interface SettingsBlock {
  /** Absent: for a shell. */
  readonly file?: string;
  readonly text: string;
}

export interface AgentClient {
  readonly name: string;
  /** The headers that the client sends, with its key. */
  headers(key: string): Record<string, string>;
  settings(target: {
    readonly site: string;
    readonly model: string;
    readonly key: string;
  }): readonly SettingsBlock[];
  checks(model: string): readonly ClientCheck[];
}

export const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
export const recordOf = (value: unknown): Loose => (isObject(value) ? value : {});

/** The objects in the `data:` lines of a stream. */
export function readEvents(text: string): readonly Loose[] {
  const objects = text
    .split(/\r?\n/)
    .map((line) => (line.startsWith('data:') ? parseObject(line.slice(5)) : undefined));
  return objects.filter((event) => event !== undefined);
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A word for a shell, in quotes where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The tool of the checks, and what it is to be called for. */
export const tool = {
  name: 'report_city',
  description: 'Reports the name of a city to the user.',
  city: 'Paris',
  result: 'reported',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { city: { type: 'string', description: 'The name of the city' } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;
export const prompts = {
  system: 'You are a helpful assistant. Answer briefly.',
  word: 'Reply with the word ok.',
  tool: `Call the tool ${tool.name} with the city ${tool.city}. When you have its result, reply with the word done.`,
} as const;
/** Enough for models that think before they answer. */
export const maxTokens = 1024;

export const titles = {
  models: { en: 'List of models', zh: '模型列表' },
  whole: { en: 'Reply in one piece', zh: '非流式回复' },
  stream: { en: 'Streamed reply', zh: '流式回复' },
  tool: { en: 'Tool call, streamed', zh: '流式工具调用' },
  result: { en: 'Tool result in the next turn', zh: '下一轮中的工具结果' },
  count: { en: 'Counting tokens', zh: '计算 token 数' },
} as const satisfies Record<string, Text>;

/** What a reply can lack. */
export const lacks = {
  notListed: { en: 'the list does not contain the model', zh: '列表中没有该模型' },
  noEvents: { en: 'the reply is no stream of events', zh: '回复不是事件流' },
  noText: { en: 'the reply has no text', zh: '回复没有文本' },
  noUsage: { en: 'the reply does not say how many tokens it used', zh: '回复未报告 token 用量' },
  noCall: { en: `the model did not call the tool`, zh: '模型没有调用工具' },
  badArguments: {
    en: 'the arguments of the tool call are not what its schema says',
    zh: '工具调用的参数不符合其 schema',
  },
  noCount: { en: 'the reply has no number of tokens', zh: '回复没有 token 数' },
  noJson: {
    en: 'the reply is not the JSON that the schema asks for',
    zh: '回复不是 schema 所要求的 JSON',
  },
} as const satisfies Record<string, Text>;
export const lacksEnd = (event: string): Text => ({
  en: `the stream does not end with ${event}`,
  zh: `流没有以 ${event} 结束`,
});

export const mends = {
  models: {
    en: 'Name the model in the settings; the client works without the list. To be listed, it must be served by an enabled channel of the token’s group',
    zh: '在配置中写明模型即可，客户端不依赖该列表。要列出该模型，需有令牌分组内的启用渠道提供它',
  },
  stream: {
    en: 'The upstream does not stream as its format demands. Test the channel with `turnpike channels test {channel} --stream`, or choose another one',
    zh: '上游的流式输出不符合其格式。可用 `turnpike channels test {channel} --stream` 测试该渠道，或换用其他渠道',
  },
  whole: {
    en: 'Test the channel with `turnpike channels test {channel}`, or choose another one',
    zh: '可用 `turnpike channels test {channel}` 测试该渠道，或换用其他渠道',
  },
  tool: {
    en: 'Choose a model that can call tools, and an upstream that passes tools on: the client cannot work without them',
    zh: '请选择支持工具调用的模型及会转发工具的上游：没有工具客户端无法工作',
  },
  result: {
    en: 'The upstream does not take tool results back. Choose another model, or a channel that speaks the client’s own format',
    zh: '上游不接受工具结果。请选择其他模型，或使用该客户端原生格式的渠道',
  },
  count: { en: 'Nothing: the client then estimates', zh: '无需处理：客户端会自行估算' },
} as const satisfies Record<string, Text>;

/** Whether the arguments of a call are those that were requested. */
export function isToolInput(input: unknown): boolean {
  const { city } = recordOf(typeof input === 'string' ? parseObject(input) : input);
  return typeof city === 'string' && city !== '';
}
