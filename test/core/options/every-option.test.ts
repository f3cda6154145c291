/**
 * Generated from the declarations: each option goes through the API and back, refuses what does not
 * fit and says which option it was, and is hidden when it is secret
 * (docs/rules/options.md#one-declaration).
 */
import { expect, test } from 'vitest';
import {
  isOptionKey,
  isSecretOption,
  type OptionKey,
  optionDefinition,
  optionKeys,
  writeOption,
} from '../../../src/core/options/index.ts';
import type { SentOption } from '../../../src/core/site/option-store.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { defaultTextOf, refusedBy, sampleOf } from '../../support/option-samples.ts';

/** The option and what it needs, in one call. */
function withNeeds(key: OptionKey): readonly SentOption[] {
  const { needs: always = [], needsFor } = optionDefinition(key);
  const needs = [...always, ...(needsFor?.[sampleOf(key)] ?? [])]
    .filter(isOptionKey)
    .flatMap(withNeeds);
  const seen = new Set<string>();
  return [...needs, { key, value: sampleOf(key) }].filter(
    (one) => !seen.has(one.key) && seen.add(one.key),
  );
}

/** What everybody who may look can see of the site: all calls that return options. */
async function visibleTo({ operator }: TestApp): Promise<string> {
  const replies = [
    operator.option.list({ with_flags: true }),
    operator.option.list(),
    operator.system.status(),
    operator.system.notice(),
    operator.system.about(),
    operator.system.homePage(),
  ];
  return JSON.stringify(await Promise.all(replies));
}

test.each(optionKeys)(
  '%s goes through the API and back, and refuses what does not fit',
  async (key) => {
    const site = await createTestApp();
    await goesThrough(site, key);
    await refusesOthers(site, key);
  },
);

async function goesThrough(site: TestApp, key: OptionKey): Promise<void> {
  const { operator, app } = site;
  const { options } = app.site;
  const rowOf = async (flags: boolean) =>
    (await operator.option.list({ with_flags: flags })).find((row) => row.key === key);
  const sample = sampleOf(key);
  expect(sample).not.toBe(defaultTextOf(key));
  await operator.option.setMany({ values: [...withNeeds(key)] });
  if (isSecretOption(key)) {
    expect(await rowOf(true)).toEqual({ key, value: '', configured: true });
    expect(await rowOf(false)).toBeUndefined();
    if (sample !== 'true')
      expect(await visibleTo(site)).not.toContain(JSON.stringify(sample).slice(1, -1));
    const audited = await app.storage.auditLogs.page({}, { offset: 0, limit: 100 });
    // That it was changed, but neither value.
    expect(audited.items.find(({ target }) => target === key)?.detail).not.toMatch(/from|to"/);
  } else {
    expect(await rowOf(true)).toEqual({ key, value: sample, default: defaultTextOf(key) });
  }
  // As the next start reads it.
  await options.refresh();
  expect(writeOption(key, options.get(key))).toBe(sample);
  await operator.option.reset({ key });
  expect(await rowOf(true)).toEqual(
    isSecretOption(key) ? undefined : { key, value: defaultTextOf(key) },
  );
}

async function refusesOthers({ operator, app }: TestApp, key: OptionKey): Promise<void> {
  const before = app.site.options.values();
  const refused = refusedBy(key);
  expect(refused.length).toBeGreaterThan(0);
  for (const value of refused) {
    const failure = await operator.option.set({ key, value }).then(
      () => ({ code: 'accepted', field: '', message: '' }),
      (error: { code: string; field?: string; message: string }) => error,
    );
    expect([value.slice(0, 40), failure.code, failure.field]).toEqual([
      value.slice(0, 40),
      'option_invalid',
      key,
    ]);
    expect(failure.message).toContain(key);
  }
  expect(app.site.options.values()).toBe(before);
}
