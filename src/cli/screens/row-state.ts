import type { EntitySpec } from './entity-spec.ts';

/** The sign of a row that is on or off. */
export function onOrOff<Row>(isOn: (row: Row) => boolean): NonNullable<EntitySpec<Row>['state']> {
  return (row, { glyphs }) =>
    isOn(row) ? { glyph: glyphs.on, tone: 'ok' } : { glyph: glyphs.off, tone: 'dim' };
}
