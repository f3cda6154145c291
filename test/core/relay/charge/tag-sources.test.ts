// Covers src/core/relay/charge/tags.ts.
/** Where the tags of a request come from, and which of them are none (docs/rules/tags.md#where). */
import { describe, expect, it } from 'vitest';
import type { BodyFields } from '../../../../src/core/canonical/pass-through.ts';
import { tagsIfValid, tagsOf } from '../../../../src/core/relay/charge/tags.ts';
import type { CallerContext } from '../../../../src/core/relay/context.ts';
import { longestTag, mostTags } from '../../../../src/core/vocabulary/tags.ts';

type Headers = Readonly<Record<string, string | undefined>>;
const from = (headers: Headers) => ({ request: { headers } }) as Pick<CallerContext, 'request'>;
const header = (text: string) => from({ 'x-turnpike-tags': text });
const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

/** A body with this `metadata`. */
const bodyOf = (metadata: unknown, size = 10) =>
  ({
    has: (name: string) => name === 'metadata',
    get: (name: string) => (name === 'metadata' ? metadata : undefined),
    bytesOf: (name: string) => (name === 'metadata' ? Buffer.alloc(size) : undefined),
  }) as unknown as BodyFields;
const bare = { has: () => false } as unknown as BodyFields;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

describe('the header', () => {
  it.each([
    ['a', ['a']],
    [' a , b,,c ', ['a', 'b', 'c']],
    ['a,a', ['a']],
    ['', []],
    ['r%C3%A9sum%C3%A9', ['résumé']],
    [bytesOf('résumé'), ['résumé']],
    [bytesOf('项目'), ['项目']],
    ['x'.repeat(longestTag), ['x'.repeat(longestTag)]],
    [numbered(mostTags).join(), numbered(mostTags)],
  ])('%j names %j', (text, tags) => {
    expect(tagsOf(header(text))).toEqual(tags);
  });

  it.each([
    ['a,b;c', 'b;c'],
    ['%', '%'],
    [' %E9 ', '%E9'],
    ['\u00e9', '\u00e9'],
    ['x'.repeat(longestTag + 1), 'x'.repeat(longestTag)],
    [`${'%'.repeat(90)}`, '%'.repeat(longestTag)],
    [numbered(mostTags + 1).join(), `t${mostTags}`],
  ])('%j is refused', (text, tag) => {
    expect(() => tagsOf(header(text))).toThrow(
      expect.objectContaining({ code: 'tags_invalid', params: { tag } }),
    );
    expect(tagsIfValid(header(text))).toEqual([]);
  });
});

describe('metadata and agents', () => {
  const agent = { 'user-agent': 'claude-cli/2.0' };

  it.each<[string, Headers, BodyFields | undefined, readonly string[]]>([
    ['nothing', {}, undefined, []],
    ['a body without metadata', {}, bare, []],
    ['an agent', agent, undefined, ['agent:claude-code']],
    ['another program', { 'user-agent': 'curl/8' }, bare, []],
    ['texts of metadata', {}, bodyOf({ team: 'blue', n: 1, no: null }), ['team:blue']],
    ['what is no tag', {}, bodyOf({ team: 'a,b', long: 'x'.repeat(longestTag) }), []],
    ['what is no object', {}, bodyOf(['a']), []],
    ['metadata that is too large', {}, bodyOf({ team: 'blue' }, 16 * 1024 + 1), []],
    ['metadata as large as may be', {}, bodyOf({ team: 'blue' }, 16 * 1024), ['team:blue']],
    [
      'all of them, once',
      { ...agent, 'x-turnpike-tags': 'team:blue' },
      bodyOf({ team: 'blue', b: 'c' }),
      ['team:blue', 'agent:claude-code', 'b:c'],
    ],
    [
      'as many as may be, those of the header first',
      { ...agent, 'x-turnpike-tags': numbered(mostTags - 1).join() },
      bodyOf({ team: 'blue' }),
      [...numbered(mostTags - 1), 'agent:claude-code'],
    ],
  ])('%s', (_, headers, body, tags) => {
    expect(tagsOf(from(headers), body)).toEqual(tags);
    expect(tagsIfValid(from(headers), body)).toEqual(tags);
  });

  it('that cannot be read or measured', () => {
    const broken = { has: () => true, bytesOf: () => undefined, get: () => JSON.parse('{') };
    expect(tagsOf(from({}), broken as unknown as BodyFields)).toEqual([]);
    const plain = { has: () => true, get: () => ({ team: 'blue' }) };
    expect(tagsOf(from({}), plain as unknown as BodyFields)).toEqual(['team:blue']);
  });
});
