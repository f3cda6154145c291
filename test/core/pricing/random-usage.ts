/** Ratios and usages as tests of charges draw them. */
import { fc } from '../../support/property.ts';
import type { OracleUsage } from './oracle.ts';

/** From free to very dear, with values that no double holds exactly. */
export const ratioArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 4000 }).map((value) => value / 100) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1000, noNaN: true }).map(Math.abs) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      0,
      1,
      0.1,
      0.3,
      4 / 3,
      66.67,
      0.79 / 0.59,
      (0.12 * 500) / 7.3,
      1e-7,
      2.5e-9,
      1_000_000,
    ),
  },
);

const tokens = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(300_000) },
);

/** Every kind of token, none above its total. */
export const usageArbitrary: fc.Arbitrary<OracleUsage> = fc
  .record({
    text: tokens,
    cached: tokens,
    written: tokens,
    hourShare: fc.nat(100),
    image: tokens,
    audioIn: tokens,
    textOut: tokens,
    audioOut: tokens,
    searches: fc.nat(3),
  })
  .map(({ text, cached, written, hourShare, image, audioIn, textOut, audioOut, searches }) => ({
    prompt: text + cached + written + image + audioIn,
    completion: textOut + audioOut,
    cached,
    written,
    writtenForHour: Math.floor((written * hourShare) / 100),
    image,
    audioIn,
    audioOut,
    searches,
  }));
