import { expect, test } from 'vitest';
import { RepeatedText } from '../../../../src/core/relay/carry/repeated-text.ts';

const event = (delta: object, id = 'chatcmpl-7') =>
  `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta }] })}\n\n`;

function keep(texts: readonly string[]): { readonly whole: string; readonly length: number } {
  const kept = new RepeatedText();
  for (const text of texts) {
    const bytes = Buffer.from(text);
    kept.push(bytes, bytes.toString('latin1'));
  }
  return { whole: kept.bytes().toString(), length: kept.length };
}

const words = [
  '',
  'a',
  'an',
  'and',
  '"',
  '\\"',
  '道路',
  '费',
  'x'.repeat(600),
  ' ',
  '"content":"',
  'an',
];

/** Two texts around a third one, all in quotation marks. */
const ends = (middle: string) => `${'x'.repeat(60)}"${middle}"${'y'.repeat(60)}`;

test.each([
  ['nothing', []],
  ['one event', [event({ content: 'a' })]],
  ['words that begin or end alike', words.map((content) => event({ content }))],
  ['an event that is repeated', Array.from({ length: 5 }, () => event({ content: 'same' }))],
  ['other ids', words.map((content, index) => event({ content }, `chatcmpl-${index}`))],
  [
    'kinds that take turns',
    words.flatMap((content) => [event({ content }), event({ reasoning: content }), ': ping\n\n']),
  ],
  [
    'heads that are all there is of a later one',
    ['"'.repeat(300), '"'.repeat(200), '"'.repeat(150), '"'.repeat(97), '"', '', '"'],
  ],
  [
    'tails that overlap with heads',
    [`"${'ab'.repeat(100)}"`, `"${'ab'.repeat(60)}"`, `"${'ab'.repeat(100)}"`, '"ab"'],
  ],
  [
    'a text that is shorter than head and tail',
    [`"${ends('1')}"`, `"${ends('2')}"`, `"${'x'.repeat(60)}"${'y'.repeat(60)}"`],
  ],
])('gives back what was kept: %s', (_, texts) => {
  const whole = texts.join('');
  expect(keep(texts)).toEqual({ whole, length: Buffer.byteLength(whole) });
});
