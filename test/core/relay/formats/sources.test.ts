/**
 * Sources of a reply that come before, after or between texts: each refers to a text, in the
 * caller's format.
 */
import { describe, expect, it } from 'vitest';
import type {
  Annotation,
  ChatChoice,
  StreamPart,
} from '../../../../src/core/canonical/chat-reply.ts';
import { streamOfReply } from '../../../../src/core/canonical/kit/collect-stream.ts';
import { foreignSignature } from '../../../../src/core/canonical/kit/foreign-signature.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiResponses } from '../../../../src/core/relay/formats/openai-responses/index.ts';
import type { ReplyContext } from '../../../../src/core/relay/formats/shared/chat-translation.ts';

const context: ReplyContext = { id: 'x', model: 'm', created: 1 };
const a: Annotation = { url: 'https://a.test', title: 'A', startIndex: 0, endIndex: 4 };
const b: Annotation = { url: 'https://b.test', startIndex: 4, endIndex: 7 };
const nowhere: Annotation = { url: 'https://c.test' };

const says = (text: string): StreamPart => ({ type: 'text-delta', text });
const cites = (annotation: Annotation): StreamPart => ({ type: 'annotation', annotation });
const call: StreamPart = { type: 'tool-call-delta', index: 0, id: 'c', name: 'f', arguments: '{}' };

const content: ChatChoice['content'] = [
  { type: 'reasoning', text: 'Hm.' },
  { type: 'text', text: 'Yes' },
  { type: 'text', text: '!' },
  { type: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
  { type: 'text', text: 'No.' },
];
const reply = (annotations: readonly Annotation[]) => ({
  choices: [
    { index: 0, content, finish: 'stop', rawFinish: null, annotations } satisfies ChatChoice,
  ],
});

/** Texts and citations of each block, in the order of the events. */
function blocksOf(parts: readonly StreamPart[]): string[] {
  const encoder = anthropicMessages.createStreamEncoder(context);
  const text = parts.map((part) => encoder.push(part)).join('') + encoder.end();
  const blocks: string[] = [];
  for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) {
    const { type, index, delta } = JSON.parse(data) as {
      type: string;
      index: number;
      delta: { text?: string; citation?: { url: string } };
    };
    if (type !== 'content_block_delta') continue;
    const cited = delta.citation === undefined ? '' : `[${delta.citation.url}]`;
    blocks[index] = `${blocks[index] ?? ''}${delta.text ?? cited}`;
  }
  return blocks.filter((block) => block !== '');
}

describe('streams of messages', () => {
  it('put sources on the text before them, and go on in another block', () => {
    expect(
      blocksOf([says('Ye'), says('s!'), cites(a), cites(nowhere), says('No'), says('.'), cites(b)]),
    ).toEqual(['Yes![https://a.test][https://c.test]', 'No.[https://b.test]']);
  });

  it('put those that come first on the first text', () => {
    expect(blocksOf([cites(nowhere), says('Ye'), says('s!')])).toEqual(['Ye[https://c.test]s!']);
  });

  it('have no place for those behind the last text', () => {
    expect(blocksOf([says('Yes'), call, cites(nowhere)])).toEqual(['Yes']);
  });

  it('of a whole reply have each at its text', () => {
    expect(blocksOf(streamOfReply(reply([a, b, nowhere])))).toEqual([
      'Yes![https://a.test]',
      'No.[https://b.test][https://c.test]',
    ]);
  });
});

it('replies of messages have each source at its text', () => {
  const citation = {
    type: 'web_search_result_location',
    cited_text: '',
    encrypted_index: foreignSignature,
  };
  const cited = { ...a, startIndex: 0, endIndex: 3, citedText: 'Words.' };
  const written = anthropicMessages.writeReply(reply([cited, b]), context) as {
    content: unknown[];
  };
  expect(written.content.slice(1)).toEqual([
    {
      type: 'text',
      text: 'Yes',
      citations: [{ ...citation, url: a.url, title: 'A', cited_text: 'Words.' }],
    },
    { type: 'text', text: '!' },
    { type: 'tool_use', id: 'c', name: 'f', input: {} },
    { type: 'text', text: 'No.', citations: [{ ...citation, url: b.url, title: null }] },
  ]);
});

describe('candidates of Gemini', () => {
  const grounding = (annotations: readonly Annotation[]) => {
    const [candidate] = (
      geminiGenerate.writeReply(reply(annotations), context) as { candidates: object[] }
    ).candidates;
    return candidate as { content: { parts: unknown[] }; groundingMetadata?: unknown };
  };

  it('list each page once, with its position in its part', () => {
    expect(grounding([a, b, nowhere, { ...nowhere, startIndex: 0, endIndex: 4 }])).toMatchObject({
      content: {
        parts: [{ thought: true }, { text: 'Yes!' }, { functionCall: {} }, { text: 'No.' }],
      },
      groundingMetadata: {
        groundingChunks: [
          { web: { uri: a.url, title: 'A' } },
          { web: { uri: b.url } },
          { web: { uri: nowhere.url } },
        ],
        groundingSupports: [
          {
            segment: { partIndex: 1, startIndex: 0, endIndex: 4, text: 'Yes!' },
            groundingChunkIndices: [0, 2],
          },
          {
            segment: { partIndex: 3, startIndex: 0, endIndex: 3, text: 'No.' },
            groundingChunkIndices: [1],
          },
        ],
      },
    });
  });

  it('without sources list none; positions outside the text are dropped', () => {
    expect(grounding([])).not.toHaveProperty('groundingMetadata');
    const outside = [
      { ...a, endIndex: 0 },
      { ...a, startIndex: 5, endIndex: 99 },
    ];
    expect(grounding(outside).groundingMetadata).toEqual({
      groundingChunks: [{ web: { uri: a.url, title: 'A' } }],
      groundingSupports: [],
    });
  });
});

it('messages of Responses count from their own beginning', () => {
  const written = openAiResponses.writeReply(reply([a, b]), context) as {
    output: { content?: { annotations: object[] }[] }[];
  };
  expect(
    written.output.flatMap((item) => item.content ?? []).map(({ annotations }) => annotations),
  ).toEqual([
    [{ type: 'url_citation', url: a.url, title: 'A', start_index: 0, end_index: 4 }],
    [{ type: 'url_citation', url: b.url, title: '', start_index: 0, end_index: 3 }],
  ]);
});
