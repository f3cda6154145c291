import { describe, expect, it } from 'vitest';
import { readBody } from '../../../../src/core/relay/body/body-fields.ts';
import { fc } from '../../../support/property.ts';

const read = (text: string) => readBody(Buffer.from(text));

describe('readBody', () => {
  it('finds the same fields as JSON.parse, for any body', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 2, '\t'),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          const parsed = JSON.parse(text) as Record<string, unknown>;
          const body = read(text);
          for (const [name, value] of Object.entries(parsed))
            expect(body?.get(name)).toEqual(value);
        },
      ),
    );
  });

  it('takes the last of duplicate keys and decodes escaped ones', () => {
    expect(read('{"model":"a","mod\\u0065l":"b"}')?.get('model')).toBe('b');
  });

  it.each([
    '',
    '[]',
    '"x"',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1}x',
    '{"a":[}',
    '{"a":"b}',
    '{"a":tru}',
    '{a:1}',
  ])('refuses %j', (text) => {
    expect(read(text)).toBeNull();
    // The same beyond the size up to which bodies are parsed whole.
    expect(read(text === '' ? '' : `${' '.repeat(5000)}${text}`)).toBeNull();
  });

  it('edits like parse, assign and stringify, keeping all other bytes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('model', 'stream', 'x', 'y'), fc.jsonValue()),
        fc.dictionary(
          fc.constantFrom('model', 'stream', 'z'),
          fc.option(fc.jsonValue(), { nil: undefined }),
        ),
        (object, edits) => {
          const expected = { ...(JSON.parse(JSON.stringify(object)) as object), ...edits };
          const edited = read(JSON.stringify(object))?.edit(edits as never);
          expect(JSON.parse(String(edited))).toEqual(JSON.parse(JSON.stringify(expected)));
        },
      ),
    );
    expect(String(read('{ "n" : 1.0e0 , "model":"a" }')?.edit({ model: 'b' }))).toBe(
      '{"n" : 1.0e0,"model":"b"}',
    );
  });

  it('removes every duplicate of a removed key', () => {
    expect(String(read('{"a":1,"b":2,"a":3}')?.edit({ a: undefined }))).toBe('{"b":2}');
  });

  it('handles a megabyte of data without taking it for text', () => {
    const image = `data:image/png;base64,${'iVBOR'.repeat(200_000)}`;
    const text = JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }],
    });
    const body = read(text);
    expect(body?.media).toMatchObject({ parts: 1, bytes: image.length });
    expect(read(JSON.stringify({ messages: 'word '.repeat(10_000) }))?.media).toMatchObject({
      parts: 0,
      bytes: 0,
    });
  });

  it('finds the end of strings that end in backslashes', () => {
    for (const length of [1, 40, 47, 48, 49, 50, 100]) {
      for (const slashes of [1, 2, 3]) {
        const object = { a: 'x'.repeat(length) + '\\'.repeat(slashes), model: 'm' };
        expect(read(JSON.stringify(object))?.get('model')).toBe('m');
      }
    }
  });
});
