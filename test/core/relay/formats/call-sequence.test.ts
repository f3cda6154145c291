// Covers src/core/relay/formats/shared.
import { describe, expect, it } from 'vitest';
import type { StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import {
  inSequence,
  ObjectScanner,
} from '../../../../src/core/relay/formats/shared/call-sequence.ts';

/** Writes each part as `index:arguments` or its text. */
const plain = {
  push: (part: StreamPart) => {
    if (part.type === 'tool-call-delta')
      return ` ${part.choice ?? 0}.${part.index}:${part.arguments}`;
    return part.type === 'text-delta' ? ` ${part.text}` : '';
  },
  end: () => ' end',
  fail: () => ' failed',
};
const open = (callsInTurn: boolean) =>
  inSequence(plain, { id: 'x', model: 'm', created: 1, callsInTurn });
const call = (index: number, text: string, choice = 0): StreamPart => ({
  type: 'tool-call-delta',
  index,
  arguments: text,
  choice,
});
const text = (words: string): StreamPart => ({ type: 'text-delta', text: words });

function run(parts: readonly StreamPart[], callsInTurn = false): string {
  const encoder = open(callsInTurn);
  return parts.map((part) => encoder.push(part)).join('') + encoder.end();
}

describe('the sequence of calls', () => {
  it('keeps three interleaved calls apart, in the order in which they began', () => {
    const parts = [
      call(0, '{"a"'),
      call(1, '{"b"'),
      call(2, '{'),
      text('t'),
      call(1, ':1}'),
      call(2, '}'),
      call(0, ':0}'),
    ];
    expect(run(parts)).toBe(' 0.0:{"a" 0.0::0} 0.1:{"b" 0.1::1} 0.2:{ 0.2:} t end');
  });

  it('writes at the end what never became complete', () => {
    expect(run([call(0, '{"a'), call(1, '{'), text('t'), call(2, '{}')])).toBe(
      ' 0.0:{"a 0.1:{ t 0.2:{} end',
    );
  });

  it('lets a call without arguments wait for them', () => {
    expect(run([call(0, ''), call(1, '{}'), call(0, '{"x":1}')])).toBe(
      ' 0.0: 0.0:{"x":1} 0.1:{} end',
    );
  });

  it('ends an incomplete call at once where calls come in turn', () => {
    const encoder = open(true);
    const written = [call(0, '{"a'), call(1, ''), text('t')].map((part) => encoder.push(part));
    expect(written).toEqual([' 0.0:{"a', ' 0.1:', ' t']);
  });

  it('ignores empty texts inside a call, and blanks behind it', () => {
    expect(run([call(0, '{'), text(''), call(0, '}'), call(1, '{}'), call(0, '\n')])).toBe(
      ' 0.0:{  0.0:} 0.1:{} end',
    );
  });

  it('holds back nothing of other choices', () => {
    const encoder = open(false);
    expect(
      [call(0, '{'), call(0, '{', 1), call(1, '{}', 1)].map((part) => encoder.push(part)),
    ).toEqual([' 0.0:{', ' 1.0:{', '']);
  });

  it('drops what waits when the stream fails', () => {
    const encoder = open(false);
    encoder.push(call(0, '{'));
    encoder.push(call(1, '{'));
    expect(encoder.fail({ status: 502, message: 'm' })).toBe(' failed');
  });
});

it('the end of an object is not taken from strings', () => {
  const scanner = new ObjectScanner();
  const json = JSON.stringify({ a: '}"\\', b: ['{', { c: '\\"' }] });
  const ends = [...json].map((character) => {
    scanner.add(character);
    return scanner.complete;
  });
  expect(ends.indexOf(true)).toBe(json.length - 1);
});
