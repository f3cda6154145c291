// Covers src/core/files/images.
import { describe, expect, it } from 'vitest';
import { cleanImage } from '../../../src/core/files/images/clean-image.ts';
import { flattenPng } from '../../../src/core/files/images/flatten-png.ts';
import { applyFilter, undoFilter } from '../../../src/core/files/images/png-filters.ts';
import { chunksOf, makePng, rowsOf } from '../../support/images.ts';
import { fc, runs } from '../../support/property.ts';

describe('transparent images on white', () => {
  it('mixes colours by their opacity', async () => {
    const rows = Buffer.from([0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 128]);
    const flat = await flattenPng(makePng({ width: 3, height: 1, colorType: 6, rows }));
    expect(cleanImage(flat)).toMatchObject({ width: 3, height: 1, hasAlpha: false });
    expect([...rowsOf(flat)]).toEqual([0, 255, 0, 0, 255, 255, 255, 127, 127, 127]);
  });

  it('takes 16 bits, grey pixels, palettes and single transparent colours', async () => {
    const deep = await flattenPng(
      makePng({ width: 1, height: 1, colorType: 4, depth: 16, rows: Buffer.from([0, 0, 0, 0, 0]) }),
    );
    expect([...rowsOf(deep)]).toEqual([0, 255, 255]);
    const palette = [
      ['PLTE', Buffer.from([10, 20, 30, 0, 0, 0])],
      ['tRNS', Buffer.from([255, 0])],
    ] as const;
    const indexed = await flattenPng(
      makePng({ width: 2, height: 1, colorType: 3, before: palette, rows: Buffer.from([0, 0, 1]) }),
    );
    expect(chunksOf(indexed).find(([type]) => type === 'PLTE')?.[1]).toEqual(
      Buffer.from([10, 20, 30, 255, 255, 255]),
    );
    const key = [['tRNS', Buffer.from([0, 1, 0, 2, 0, 3])]] as const;
    const keyed = await flattenPng(
      makePng({ width: 2, height: 1, before: key, rows: Buffer.from([0, 1, 2, 3, 1, 2, 4]) }),
    );
    expect([...rowsOf(keyed)]).toEqual([0, 255, 255, 255, 1, 2, 4]);
    const bits = [['tRNS', Buffer.from([0, 0])]] as const;
    const grey = await flattenPng(
      makePng({
        width: 4,
        height: 1,
        colorType: 0,
        depth: 2,
        before: bits,
        rows: Buffer.from([0, 0b00011000]),
      }),
    );
    expect([...rowsOf(grey)]).toEqual([0, 0b11011011]);
    for (const image of [deep, indexed, keyed, grey])
      expect(cleanImage(image).hasAlpha).toBe(false);
  });

  it('takes interlaced images', async () => {
    // The passes of a 3 by 3 image that have pixels, as columns and rows.
    const passes = [
      [1, 1],
      [2, 1],
      [1, 1],
      [1, 2],
      [3, 1],
    ] as const;
    const rows = Buffer.concat(
      passes.map(([width, height]) => Buffer.alloc((1 + width * 4) * height)),
    );
    const flat = await flattenPng(
      makePng({ width: 3, height: 3, colorType: 6, interlace: 1, rows }),
    );
    expect(rowsOf(flat).filter((byte) => byte === 255).length).toBe(27);
  });

  it('refuses an image with too few rows', async () => {
    const short = makePng({ width: 4, height: 40, colorType: 6, rows: Buffer.alloc(17) });
    await expect(flattenPng(short)).rejects.toMatchObject({ code: 'image_damaged' });
    const filter = makePng({
      width: 1,
      height: 1,
      colorType: 6,
      rows: Buffer.from([9, 0, 0, 0, 0]),
    });
    await expect(flattenPng(filter)).rejects.toMatchObject({ code: 'image_damaged' });
  });

  it('reads more rows than fit into one piece', async () => {
    const rows = Buffer.alloc((1 + 400 * 4) * 400, 200);
    for (let row = 0; row < 400; row++) rows[row * 1601] = row % 5;
    const flat = await flattenPng(makePng({ width: 400, height: 400, colorType: 6, rows }));
    expect(rowsOf(flat).length).toBe((1 + 400 * 3) * 400);
  });
});

describe('filters', () => {
  it('undo themselves', () => {
    const row = fc.uint8Array({ minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 }),
        row,
        fc.option(row),
        fc.constantFrom(1, 2, 3, 4, 8),
        (filter, pixels, above, distance) => {
          const previous = above === null ? undefined : Buffer.from(above);
          const line = applyFilter(filter, Buffer.from(pixels), previous, distance);
          expect(undoFilter(filter, line.subarray(1), previous, distance)).toEqual(
            Buffer.from(pixels),
          );
        },
      ),
      runs(300),
    );
  });
});
