/** Positions of sources in a reply: from each format's units to characters of the whole text. */
import { describe, expect, it } from 'vitest';
import type { StreamPart } from '../../../src/core/canonical/chat-reply.ts';
import { TextPlaces } from '../../../src/core/canonical/kit/text-places.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { groundingAnnotations } from '../../../src/core/providers/gemini/grounding.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const cold = 'Es ist kalt 👋.';
const warm = '罗马很暖。';
const chunks = [
  { web: { uri: 'https://oslo.example', title: 'Oslo' } },
  { web: { uri: 'https://rome.example', title: 'Rome' } },
];
const oslo = { url: 'https://oslo.example', title: 'Oslo' };
const rome = { url: 'https://rome.example', title: 'Rome' };
const bytes = (text: string) => Buffer.byteLength(text);
/** What supports the second sentence. */
const support = (segment: object) => ({
  groundingChunks: chunks,
  groundingSupports: [{ segment, groundingChunkIndices: [1] }],
});
const whole = { startIndex: bytes(cold), endIndex: bytes(cold + warm), text: warm };

describe('places in a text', () => {
  const places = new TextPlaces(cold + warm);
  it('are the same in characters and bytes', () => {
    expect(places.length).toBe(14 + 5);
    expect(places.slice(12, 13)).toBe('👋');
    for (let at = 0; at <= places.length; at++)
      expect(places.characterAt(places.bytesBefore(at))).toBe(at);
  });
  it('within a character are its own, behind the text its end', () => {
    expect(places.characterAt(places.bytesBefore(12) + 2)).toBe(12);
    expect(places.characterAt(10_000)).toBe(places.length);
    expect(new TextPlaces('').characterAt(3)).toBe(0);
  });
});

describe('grounding of Gemini', () => {
  it('is given in characters of the whole reply', () => {
    const placed = { ...rome, startIndex: 14, endIndex: 19 };
    expect(groundingAnnotations([support(whole)], [cold + warm])).toEqual([placed, oslo]);
    const inPart = { partIndex: 2, endIndex: bytes(warm), text: warm };
    expect(groundingAnnotations([support(inPart)], [cold, '', warm])).toEqual([placed, oslo]);
  });

  it('has no position where the text there differs', () => {
    expect(
      groundingAnnotations([support({ ...whole, text: 'Rome is warm.' })], [cold + warm]),
    ).toEqual([oslo, rome]);
    expect(groundingAnnotations([support({ ...whole, partIndex: 7 })], [cold + warm])).toEqual([
      oslo,
      rome,
    ]);
    expect(groundingAnnotations([support({})], [cold + warm])).toEqual([oslo, rome]);
  });

  it('is returned once, even if repeated', () => {
    const metadata = [{ groundingChunks: chunks }, support(whole), support(whole)];
    expect(groundingAnnotations(metadata, [cold + warm])).toEqual([
      oslo,
      { ...rome, startIndex: 14, endIndex: 19 },
    ]);
  });

  it.each([
    undefined,
    'x',
    { groundingChunks: 'x', groundingSupports: [{ groundingChunkIndices: ['a', -1, 9] }, null] },
  ])('that is none is passed over: %j', (metadata) =>
    expect(groundingAnnotations([metadata], [cold])).toEqual([]),
  );

  it('of a stream counts the text of all its events, without thoughts', () => {
    const decoder = gemini.operations.chat?.createStreamDecoder?.(testCall());
    const event = (candidate: object) => ({
      event: '',
      data: JSON.stringify({ candidates: [candidate] }),
    });
    const events = [
      event({ content: { parts: [{ text: 'Hm.', thought: true }, { text: cold }] } }),
      event({
        content: { parts: [{ text: warm }] },
        groundingMetadata: support(whole),
        finishReason: 'STOP',
      }),
    ];
    const parts = [...events.flatMap((one) => decoder?.push(one) ?? []), ...(decoder?.end() ?? [])];
    expect(parts.flatMap((part) => (part.type === 'annotation' ? [part.annotation] : []))).toEqual([
      { ...rome, startIndex: 14, endIndex: 19 },
      oslo,
    ]);
  });
});

describe('citations of Claude', () => {
  const citation = {
    type: 'web_search_result_location',
    url: oslo.url,
    title: 'Oslo',
    cited_text: 'Kalt.',
    encrypted_index: 'E',
  };
  const found = {
    type: 'search_result_location',
    source: rome.url,
    title: 'Rome',
    cited_text: 'Warm.',
    search_result_index: 0,
  };
  const inDocument = {
    type: 'char_location',
    cited_text: 'x',
    document_index: 0,
    document_title: 'D',
  };
  const blocks = [
    { type: 'text', text: cold, citations: [citation, inDocument] },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'text', text: warm, citations: [found, { ...found, source: 'notes/4711' }] },
  ];
  const expected = [
    { ...oslo, citedText: 'Kalt.', startIndex: 0, endIndex: 14 },
    { ...rome, citedText: 'Warm.', startIndex: 14, endIndex: 19 },
  ];

  it('refer to the text of their block if they have a URL', () => {
    const reply = anthropic.operations.chat?.decode(
      { content: blocks, stop_reason: 'end_turn' },
      testCall(),
    );
    expect(reply?.choices[0]?.annotations).toEqual(expected);
  });

  it.each([
    ['before the text', true, true],
    ['after the text', false, true],
    ['in a block that is never closed', false, false],
  ])('of a stream are returned when their block is complete: %s', (_, first, closed) => {
    const decoder = anthropic.operations.chat?.createStreamDecoder?.(
      testCall({ model: 'claude-sonnet-4-5' }),
    );
    const events = blocks.flatMap((block, index) => {
      const cited = (block.citations ?? []).map((one) => ({
        type: 'citations_delta',
        citation: one,
      }));
      const said = [{ type: 'text_delta', text: block.text ?? '' }];
      const deltas =
        block.type === 'text' ? (first ? [...cited, ...said] : [...said, ...cited]) : [];
      return [
        {
          type: 'content_block_start',
          index,
          content_block: block.type === 'text' ? { type: 'text', text: '' } : block,
        },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        ...(closed || index < 2 ? [{ type: 'content_block_stop', index }] : []),
      ];
    });
    const parts: StreamPart[] = events.flatMap(
      (data) => decoder?.push({ event: '', data: JSON.stringify(data) }) ?? [],
    );
    parts.push(...(decoder?.end() ?? []));
    expect(parts.flatMap((part) => (part.type === 'annotation' ? [part.annotation] : []))).toEqual(
      expected,
    );
  });
});
