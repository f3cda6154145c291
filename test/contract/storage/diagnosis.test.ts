import { expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { forEachEngine } from '../../support/storage.ts';

forEachEngine('diagnosis', (engine) => {
  test('says what the database is, how large, how late and that it is sound', async () => {
    const { diagnosis } = await engine.open();
    const { version, schema, size, time } = await diagnosis.read();
    expect(version).toMatch(/^\d+\.\d+/);
    expect(schema).toBe(Object.keys(migrations).sort().at(-1));
    expect(size).toBeGreaterThan(100_000);
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    expect(await diagnosis.findDamage()).toEqual([]);
  });
});
