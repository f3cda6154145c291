// Covers src/core/files/images.
import { describe, expect, it } from 'vitest';
import { cleanImage } from '../../../src/core/files/images/clean-image.ts';
import { readOrientation } from '../../../src/core/files/images/orientation.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { chunksOf, jpegSegment, makeExif, makeJpeg, makePng } from '../../support/images.ts';
import { fc, runs } from '../../support/property.ts';

const codeOf = (bytes: Buffer): string => {
  try {
    cleanImage(bytes);
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};
const secret = Buffer.from('GPS 48.2082 N');
const exif = (orientation: number) =>
  jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), makeExif(orientation), secret]));

describe('metadata of JPEG files', () => {
  it('goes, while all that pixels are decoded from stays', () => {
    const plain = makeJpeg({ width: 300, height: 200 });
    const segments = [
      exif(1),
      jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${secret}`)),
      jpegSegment(0xed, secret),
      jpegSegment(0xfe, secret),
    ];
    const image = cleanImage(makeJpeg({ width: 300, height: 200, segments, trailer: secret }));
    expect(image).toMatchObject({ type: 'image/jpeg', width: 300, height: 200, hasAlpha: false });
    expect(image.bytes.equals(plain)).toBe(true);
  });

  it('leaves the JFIF header without its thumbnail, the colour profile and the colour transform', () => {
    const jfif = Buffer.concat([
      Buffer.from('JFIF\0'),
      Buffer.from([1, 2, 0, 0, 1, 0, 1, 1, 1]),
      Buffer.alloc(3),
    ]);
    const icc = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\u0001\u0001profile'));
    const adobe = jpegSegment(0xee, Buffer.from('Adobe\0\u0064\0\0\0\0\u0001'));
    const { bytes } = cleanImage(
      makeJpeg({ width: 9, height: 9, segments: [jpegSegment(0xe0, jfif), exif(1), icc, adobe] }),
    );
    const shown = Buffer.concat([jfif.subarray(0, 12), Buffer.alloc(2)]);
    expect(
      bytes.equals(
        makeJpeg({ width: 9, height: 9, segments: [jpegSegment(0xe0, shown), icc, adobe] }),
      ),
    ).toBe(true);
  });

  it('keeps an orientation that turns the image, and nothing else of EXIF', () => {
    const { bytes } = cleanImage(makeJpeg({ width: 9, height: 9, segments: [exif(6)] }));
    const at = bytes.indexOf('Exif\0\0');
    expect(readOrientation(bytes.subarray(at + 6))).toBe(6);
    expect(bytes.includes('Cam')).toBe(false);
    expect(bytes.includes(secret)).toBe(false);
  });

  it.each(['II', 'MM'] as const)('reads the orientation in the byte order %s', (order) => {
    expect(readOrientation(makeExif(8, order))).toBe(8);
  });
});

describe('metadata of PNG files', () => {
  it('goes, while pixels, transparency and colours stay', () => {
    const before = [
      ['tEXt', secret],
      ['gAMA', Buffer.from([0, 0, 0xb1, 0x8f])],
      ['eXIf', makeExif(1)],
      ['acTL', Buffer.alloc(8)],
    ] as const;
    const after = [
      ['tIME', secret],
      ['zTXt', secret],
    ] as const;
    const image = cleanImage(
      makePng({ width: 4, height: 3, colorType: 6, before, after, trailer: secret }),
    );
    expect(image).toMatchObject({ type: 'image/png', width: 4, height: 3, hasAlpha: true });
    expect(chunksOf(image.bytes).map(([type]) => type)).toEqual(['IHDR', 'gAMA', 'IDAT', 'IEND']);
    expect(
      image.bytes.equals(makePng({ width: 4, height: 3, colorType: 6, before: [before[1]] })),
    ).toBe(true);
  });

  it('keeps an orientation that turns the image', () => {
    const { bytes } = cleanImage(makePng({ width: 4, height: 3, after: [['eXIf', makeExif(3)]] }));
    const found = chunksOf(bytes).find(([type]) => type === 'eXIf')?.[1];
    expect(found?.length).toBe(26);
    expect(readOrientation(found ?? Buffer.alloc(0))).toBe(3);
  });
});

describe('files that are refused', () => {
  it.each([
    ['a GIF', Buffer.from('GIF89a....')],
    ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an empty file', Buffer.alloc(0)],
  ])('%s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('image_type_unsupported');
  });

  it.each([
    ['a PNG of 51 megapixels', makePng({ width: 51_000_000, height: 1, rows: Buffer.alloc(1) })],
    ['a JPEG of 65535 × 65535', makeJpeg({ width: 65_535, height: 65_535 })],
  ])('%s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('image_too_large');
  });

  const png = makePng({ width: 4, height: 3 });
  const jpeg = makeJpeg({ width: 4, height: 3 });
  it.each([
    ['a PNG without its end', png.subarray(0, png.length - 12)],
    [
      'a PNG with a wrong checksum',
      Buffer.from(png.map((byte, at) => (at === 17 ? byte + 1 : byte))),
    ],
    [
      'a PNG with an unknown critical chunk',
      makePng({ width: 4, height: 3, before: [['CgBI', Buffer.alloc(4)]] }),
    ],
    [
      'a PNG with two palettes',
      makePng({
        width: 4,
        height: 3,
        before: [
          ['PLTE', Buffer.alloc(3)],
          ['PLTE', Buffer.alloc(3)],
        ],
      }),
    ],
    ['a PNG of no height', makePng({ width: 4, height: 0 })],
    ['a JPEG without its end', jpeg.subarray(0, jpeg.length - 2)],
    ['a JPEG without a scan', Buffer.from([0xff, 0xd8, 0xff, 0xd9])],
    [
      'a JPEG with a segment that is too long',
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0]),
    ],
    [
      'a JPEG with two frames',
      makeJpeg({
        width: 4,
        height: 3,
        segments: [jpegSegment(0xc0, Buffer.from([8, 0, 3, 0, 4, 1]))],
      }),
    ],
    ['a JPEG of no height', makeJpeg({ width: 4, height: 0 })],
  ])('%s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('image_damaged');
  });
});

describe('any bytes', () => {
  const samples = [
    makePng({
      width: 5,
      height: 4,
      colorType: 3,
      before: [
        ['PLTE', Buffer.alloc(12, 7)],
        ['tRNS', Buffer.alloc(2)],
        ['tEXt', secret],
      ],
    }),
    makeJpeg({ width: 5, height: 4, segments: [exif(5), jpegSegment(0xfe, secret)] }),
  ];
  const damage = fc.record({
    sample: fc.constantFrom(...samples),
    edits: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
    cut: fc.nat(400),
  });

  it('end in an image without its metadata, or in one of three errors', () => {
    fc.assert(
      fc.property(damage, ({ sample, edits, cut }) => {
        const bytes = Buffer.from(
          sample.subarray(0, sample.length - (cut % 3 === 0 ? cut % sample.length : 0)),
        );
        for (const [at, value] of edits) if (bytes.length > 0) bytes[at % bytes.length] = value;
        expect([
          'accepted',
          'image_damaged',
          'image_too_large',
          'image_type_unsupported',
        ]).toContain(codeOf(bytes));
      }),
      runs(1500),
    );
  });

  it('are not changed by a second pass', () => {
    const description = fc.record({
      width: fc.integer({ min: 1, max: 60 }),
      height: fc.integer({ min: 1, max: 60 }),
      orientation: fc.integer({ min: 0, max: 9 }),
      note: fc.uint8Array({ maxLength: 40 }),
      isPng: fc.boolean(),
    });
    fc.assert(
      fc.property(description, ({ width, height, orientation, note, isPng }) => {
        const text = Buffer.from(note);
        const bytes = isPng
          ? makePng({
              width,
              height,
              before: [
                ['tEXt', text],
                ['eXIf', makeExif(orientation)],
              ],
              trailer: text,
            })
          : makeJpeg({
              width,
              height,
              segments: [exif(orientation), jpegSegment(0xfe, text)],
              trailer: text,
            });
        const once = cleanImage(bytes);
        expect(cleanImage(once.bytes).bytes.equals(once.bytes)).toBe(true);
        expect(once.bytes.includes('Cam')).toBe(false);
      }),
      runs(300),
    );
  });
});
